"""Explorations on a local Ray cluster of two nodes come to what one process comes to.

Usage: test.py COMMAND TARGET..., where COMMAND is a build of the command line. Run it with the Python of the environment
that `scripts/ray/setup` makes; `scripts/ray/test` does so.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from ray.cluster_utils import Cluster

FIELDS = ["verdict", "exhausted", "executions", "deadlocks", "cut", "outcomes"]


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


def explore(command, words, folder, name, environment=None, meanwhile=None):
    """Explores, and does something meanwhile; what came of it."""
    path = os.path.join(folder, name + ".json")
    words = [command, "check", *words, "--json", path]
    # Workers come at once, so that small programs need them.
    environment = {**os.environ, "COUNTERPOINT_TEST_HASTE": "200", **(environment or {})}
    process = subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    if meanwhile:
        meanwhile(process)
    process.wait(timeout=300)
    return answer(path)


def children(process):
    with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
        own = file.read().split()
    for task in os.listdir(f"/proc/{process.pid}/task"):
        with open(f"/proc/{process.pid}/task/{task}/children") as file:
            own += file.read().split()
    return sorted({int(child) for child in own})


def kill_driver(process):
    time.sleep(8)
    for child in children(process):
        os.kill(child, signal.SIGKILL)


def main():
    command, target = os.path.abspath(sys.argv[1]), [os.path.abspath(sys.argv[2]), *sys.argv[3:]]
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    second = cluster.add_node(num_cpus=1)
    ray = [*target, "--ray", cluster.address]

    def kill_node(_):
        time.sleep(8)
        cluster.remove_node(second, allow_graceful=False)
        cluster.add_node(num_cpus=1)

    with tempfile.TemporaryDirectory() as folder:
        alone = explore(command, [*target, "--jobs", "1"], folder, "alone")
        cases = [
            ("two nodes", None, None),
            ("workers that are killed", {"COUNTERPOINT_TEST_FAULTS": "1,20,20"}, None),
            ("a driver that is killed", {"COUNTERPOINT_TEST_FAULTS": "1,300,0"}, kill_driver),
            ("a node that is killed", {"COUNTERPOINT_TEST_FAULTS": "1,300,0"}, kill_node),
        ]
        for name, environment, meanwhile in cases:
            started = time.time()
            shared = explore(command, ray, folder, "shared", environment, meanwhile)
            assert shared == alone, f"{name}: {shared} instead of {alone}"
            print(f"{name}: the same, {time.time() - started:.0f} s", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
