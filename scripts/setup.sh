# What Counterpoint needs beyond git, a C compiler and a Rust toolchain. Installs only what is
# missing, with the system's own package manager, and says what to do where that is not possible.

# Debian packages by name.
install_packages() {
  echo "installing $*" >&2
  local sudo=""
  if [ "$(id -u)" -ne 0 ]; then sudo="sudo"; fi
  if ! command -v apt-get >/dev/null || { [ -n "$sudo" ] && ! command -v sudo >/dev/null; }; then
    echo "error: please install these packages: $*" >&2
    exit 2
  fi
  local log
  log="$(mktemp)"
  if ! { $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" ||
    { $sudo apt-get update &&
      $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; }; } \
    >"$log" 2>&1; then
    cat "$log" >&2
    echo "error: could not install $*" >&2
    exit 2
  fi
  rm -f "$log"
}

# The solver's library and what finds it.
need_build_tools() {
  if ! command -v cargo >/dev/null && [ -f "$HOME/.cargo/env" ]; then . "$HOME/.cargo/env"; fi
  if ! command -v cargo >/dev/null; then
    echo "error: no Rust toolchain found; install Rust 1.88 or newer and try again" >&2
    exit 2
  fi
  local missing=()
  command -v pkg-config >/dev/null || missing+=(pkg-config)
  if ! { [ -f /usr/include/z3.h ] || pkg-config --exists z3 2>/dev/null; }; then
    missing+=(libz3-dev)
  fi
  if [ "${#missing[@]}" -gt 0 ]; then install_packages "${missing[@]}"; fi
}

# Java programs are compiled and run against a JDK.
need_jdk() {
  if command -v javac >/dev/null || [ -n "${JAVA_HOME:-}" ]; then return; fi
  install_packages default-jdk-headless
}

# The page for the browser is tested in a browser.
need_browser() {
  local name
  for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then return; fi
  done
  install_packages chromium
}

# The guide shows a JUnit test, and its commands are run.
need_junit() {
  if [ ! -f /usr/share/java/junit4.jar ]; then install_packages junit4; fi
  if [ ! -f /usr/share/java/junit-jupiter-engine.jar ]; then install_packages junit5; fi
}

# Libraries that programs of the tests use.
need_libraries() {
  local missing=() jar package
  while read -r jar package; do
    if [ ! -f "/usr/share/java/$jar.jar" ]; then missing+=("$package"); fi
  done <<'LIBRARIES'
guava libguava-java
commons-lang3 libcommons-lang3-java
commons-collections4 libcommons-collections4-java
commons-pool2 libcommons-pool2-java
commons-io libcommons-io-java
slf4j-simple libslf4j-java
logback-classic liblogback-java
jackson-databind libjackson2-databind-java
jackson-core libjackson2-core-java
gson libgoogle-gson-java
caffeine libcaffeine-java
LIBRARIES
  if [ "${#missing[@]}" -gt 0 ]; then install_packages "${missing[@]}"; fi
}

# Projects of the tests are built by the real tools, from the repository of Debian's packages.
need_builders() {
  local missing=() file package
  while read -r file package; do
    if [ ! -e "/usr/$file" ]; then missing+=("$package"); fi
  done <<'BUILDERS'
bin/mvn maven
share/maven-repo/org/apache/maven/plugins/maven-compiler-plugin libmaven-compiler-plugin-java
share/maven-repo/org/apache/maven/plugins/maven-resources-plugin libmaven-resources-plugin-java
share/maven-repo/org/apache/maven/plugins/maven-surefire-plugin libsurefire-java
bin/gradle gradle
BUILDERS
  if [ "${#missing[@]}" -gt 0 ]; then install_packages "${missing[@]}"; fi
}

# Explorations on a cluster are tested with Ray. Fails where it cannot be installed, which is no error of the tests.
need_ray() {
  if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    (install_packages python3-venv) || return 1
  fi
  "$(dirname "${BASH_SOURCE[0]}")/ray/setup"
}
