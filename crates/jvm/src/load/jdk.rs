//! Finding the installed JDK: `JAVA_HOME`, else the `java` on the path with its links resolved.

use std::env;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// An installed JDK.
#[derive(Debug, Clone)]
pub struct Jdk {
    home: PathBuf,
}

impl Jdk {
    /// Finds the JDK of this machine.
    ///
    /// A `JAVA_HOME` that names no JDK is an error and not skipped: the user meant it.
    pub fn find() -> Result<Jdk, Error> {
        if let Some(home) = env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
            return Jdk::at(Path::new(&home));
        }
        let path = env::var_os("PATH").unwrap_or_default();
        for folder in env::split_paths(&path) {
            let java = folder.join("java");
            let Ok(java) = java.canonicalize() else {
                continue;
            };
            if let Some(home) = java.parent().and_then(Path::parent)
                && let Ok(jdk) = Jdk::at(home)
            {
                return Ok(jdk);
            }
        }
        Err(Error::NoJdk {
            tried:
                "JAVA_HOME is not set and no `java` on the path has a lib/modules file beside it"
                    .to_string(),
        })
    }

    /// The JDK in a given folder.
    pub fn at(home: &Path) -> Result<Jdk, Error> {
        let jdk = Jdk { home: home.to_path_buf() };
        if jdk.image().is_file() {
            Ok(jdk)
        } else {
            Err(Error::NoJdk { tried: format!("{} does not exist", jdk.image().display()) })
        }
    }

    /// The folder of the JDK.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Its version, such as `17.0.2`, from the file that says what was released.
    pub fn version(&self) -> String {
        let text = std::fs::read_to_string(self.home.join("release")).unwrap_or_default();
        let version = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="));
        version.map_or("17", |version| version.trim_matches('"')).to_string()
    }

    /// The runtime image that holds its classes.
    pub fn image(&self) -> PathBuf {
        self.home.join("lib").join("modules")
    }

    /// A tool of the JDK, such as `javac`.
    pub fn tool(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }
}
