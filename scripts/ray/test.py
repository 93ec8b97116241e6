"""Explorations on a local Ray cluster of two nodes come to what one process comes to, whoever is killed.

Usage: test.py KIT COUNTERPOINT MODEL JAVA, with the command line over the test kit, the one that users have, an ABS model
and a Java program. Run it with the Python of the environment that `scripts/ray/setup` makes; `crates/app/tests/ray.rs` does
so. Whatever is killed is killed when workers have reported parts of the work, and is missed: what comes after it is looked
for, so that a case cannot pass because the exploration had ended before.

All that Ray and the workers write is below one folder, which is removed, and the cluster has ports that are free, so that
several may run on a machine. It ends with this process, and this process with its parent.
"""

import contextlib
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# How long anything may take.
PATIENCE = 180

FIELDS = ["verdict", "exhausted", "executions", "deadlocks", "cut", "outcomes"]

# Units are short, and reports are slow, so that there is time to kill somebody.
PACE = {"COUNTERPOINT_TEST_HASTE": "20"}
SLOWLY = {**PACE, "COUNTERPOINT_TEST_FAULTS": "1,100,0"}


def answer(path):
    with open(path) as file:
        result = json.load(file)
    findings = sorted(
        json.dumps([finding[field] for field in ["kind", "message", "file", "line", "count"]])
        for finding in result["findings"]
    )
    # Which of the executions that end alike is kept depends on who is first.
    for outcome in result["outcomes"]:
        outcome.pop("schedule", None)
    return [result[field] for field in FIELDS], findings


def end_with_parent():
    """Lets this process not outlive its parent (PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def wait_for(what, condition):
    """Waits until there is something, and gives it."""
    end = time.time() + PATIENCE
    while time.time() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"waited in vain for {what}")


def parent(process):
    """The parent of a process, or nothing if it has ended."""
    try:
        with open(f"/proc/{process}/stat") as file:
            state, parent = file.read().rpartition(")")[2].split()[:2]
        return None if state == "Z" else int(parent)
    except OSError:
        return None


def children(process):
    numbers = (int(name) for name in os.listdir("/proc") if name.isdigit())
    return {number for number in numbers if parent(number) == process}


class Exploration:
    """A command in a folder of its own, and what can be seen of it from outside."""

    def __init__(self, command, words, environment):
        self.folder = tempfile.mkdtemp()
        self.result = os.path.join(self.folder, "result.json")
        self.log = os.path.join(self.folder, "units")
        self.command = command
        self.environment = {**os.environ, **environment}
        self.start([*words, "--json", self.result])

    def start(self, words):
        environment = {**self.environment, "COUNTERPOINT_UNIT_LOG": self.log}
        if os.path.exists(self.log):
            os.remove(self.log)
        self.process = subprocess.Popen(
            [self.command, "check", *words],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            preexec_fn=end_with_parent,
        )

    def units(self):
        """How many parts of the work workers have reported."""
        try:
            with open(self.log) as file:
                return len(file.readlines())
        except FileNotFoundError:
            return 0

    def more_units(self, number=3):
        """Waits until workers have reported more, with the exploration still going on."""
        wanted = self.units() + number
        wait_for("more units", lambda: self.units() >= wanted or self.process.poll() is not None)
        assert self.process.poll() is None, f"it ended after {self.units()} units"

    def workers(self):
        """The processes `counterpoint worker` of the cluster, with their grandparents, which are nodes."""
        found = {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                program = os.readlink(f"/proc/{name}/exe")
            except OSError:
                continue
            if program.startswith(tempfile.gettempdir()) and parent(int(name)):
                found[int(name)] = parent(parent(int(name)) or 0)
        return found

    def saved(self):
        kept = os.path.join(self.folder, ".counterpoint")
        names = os.listdir(kept) if os.path.isdir(kept) else []
        names = [name for name in names if name.endswith(".resume.json") and name[0] != "."]
        return os.path.join(kept, names[0]) if names else None

    def end(self):
        self.process.wait(timeout=PATIENCE)
        return answer(self.result)


def two_workers(exploration):
    """Waits until two workers are there, on two nodes."""

    def found():
        workers = exploration.workers()
        assert exploration.process.poll() is None, "it ended before there were two workers"
        return workers if len(set(workers.values())) == 2 else None

    return wait_for("workers on two nodes", found)


@contextlib.contextmanager
def held(workers):
    """Lets workers do nothing for a time, so that the exploration does not end meanwhile."""
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)
    yield
    for worker in workers:
        os.kill(worker, signal.SIGCONT)


def kill_worker(exploration, _, number=3):
    exploration.more_units(number)
    victim, other = sorted(two_workers(exploration))
    with held([other]):
        os.kill(victim, signal.SIGKILL)
        wait_for("another worker", lambda: victim not in two_workers(exploration))
    exploration.more_units(number)


def kill_workers(exploration, cluster):
    for _ in range(3):
        kill_worker(exploration, cluster)


def kill_early(exploration, cluster):
    """Of a tree, workers report large parts: two of them have seconds of work when the first part is reported."""
    kill_worker(exploration, cluster, 1)


def kill_driver(exploration, _):
    exploration.more_units()
    [driver] = children(exploration.process.pid)
    workers = set(two_workers(exploration))
    os.kill(driver, signal.SIGKILL)
    wait_for("another driver", lambda: children(exploration.process.pid) - {driver})
    wait_for("the end of its workers", lambda: not workers & set(exploration.workers()))
    exploration.more_units()


def kill_node(exploration, cluster):
    exploration.more_units()
    before = two_workers(exploration)
    cluster.remove_node(cluster.second, allow_graceful=False)
    wait_for("the end of its worker", lambda: len(exploration.workers()) == 1)
    exploration.more_units()
    with held(exploration.workers()):
        cluster.second = cluster.add_node(**cluster.arguments)
        after = two_workers(exploration)
    assert set(after.values()) != set(before.values())
    exploration.more_units()


def kill_coordinator(exploration, cluster):
    exploration.more_units()
    wait_for("something that is saved", exploration.saved)
    exploration.more_units()
    exploration.process.kill()
    exploration.process.wait()
    wait_for("the end of its workers", lambda: not exploration.workers())
    words = ["--resume", exploration.saved(), "--ray", cluster.address]
    exploration.start([*words, "--json", exploration.result])
    exploration.more_units()


def interrupt(cluster, command, target):
    """As users start it, it begins alone; workers come, and Ctrl-C ends it."""
    started = time.time()
    exploration = Exploration(command, [*target, "--ray", cluster.address], {})
    exploration.more_units()
    exploration.process.send_signal(signal.SIGINT)
    [_, exhausted, *_], findings = exploration.end()
    assert not exhausted and findings and exploration.process.returncode == 1
    assert exploration.saved()
    wait_for("the end of its workers", lambda: not exploration.workers())
    print(f"ray: without haste: interrupted, {time.time() - started:.0f} s", flush=True)


def compare(name, cluster, command, target, environment, meanwhile=None):
    started = time.time()
    alone = Exploration(command, [*target, "--jobs", "1"], {}).end()
    shared = Exploration(command, [*target, "--ray", cluster.address], environment)
    if meanwhile:
        meanwhile(shared, cluster)
    found = shared.end()
    assert found == alone, f"{name}: {found} instead of {alone}"
    assert shared.units() > 0, f"{name}: there were no workers"
    print(f"ray: {name}: the same, {time.time() - started:.0f} s", flush=True)


def main():
    kit, counterpoint, model, java = map(os.path.abspath, sys.argv[1:])
    end_with_parent()
    # Whatever hangs, this does not.
    signal.alarm(5 * PATIENCE)
    # Names of sockets have to be short.
    home = tempfile.mkdtemp(prefix="cpray", dir="/tmp")
    os.environ["RAY_TMPDIR"] = os.environ["TMPDIR"] = tempfile.tempdir = home
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # Usually workers have the least right to a processor, and on a machine that is busy with other things, none.
    os.environ["RAY_worker_niceness"] = "0"
    from ray.cluster_utils import Cluster

    arguments = {"num_cpus": 1, "object_store_memory": 100 << 20, "include_dashboard": False}
    try:
        # Ray notices after five such periods that a node is gone.
        head = {**arguments, "_system_config": {"health_check_period_ms": 1000}}
        cluster = Cluster(initialize_head=True, head_node_args=head)
        cluster.arguments = arguments
        cluster.second = cluster.add_node(**arguments)
        texts = {"program.kit": "dining 6", "large.kit": "dining 9", "bounded.kit": "fib 5"}
        for name, text in texts.items():
            with open(os.path.join(home, name), "w") as file:
                file.write(text)
        program, large, bounded = (os.path.join(home, name) for name in texts)
        by_bounds = [bounded, "--explorer", "interference", "--bound", "8"]
        interrupt(cluster, kit, [large])
        compare("a program of the kit", cluster, kit, [program], PACE)
        compare("an ABS model", cluster, counterpoint, [model], PACE)
        compare("a Java program", cluster, counterpoint, [java], PACE)
        compare("a search by bounds", cluster, kit, by_bounds, PACE)
        compare("workers that are killed", cluster, kit, [program], SLOWLY, kill_workers)
        compare("its workers that are killed", cluster, kit, by_bounds, SLOWLY, kill_early)
        compare("a driver that is killed", cluster, kit, [program], SLOWLY, kill_driver)
        compare("a coordinator that is killed", cluster, kit, [program], SLOWLY, kill_coordinator)
        compare("a node that is killed", cluster, kit, [program], SLOWLY, kill_node)
        cluster.shutdown()
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
