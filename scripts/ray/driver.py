"""Runs Counterpoint's workers on a Ray cluster.

The coordinator (`counterpoint check --ray ADDRESS`) starts this driver and speaks with it in lines of JSON:

    to the driver      {"start": {...}}                 once, first, with what each worker is told first
                       {"member": 3, "order": {...}}    for a worker
    from the driver    {"member": 3, "joined": true}    a worker was started
                       {"member": 3, "answer": {...}}   what it said
                       {"member": 3, "lost": true}      it is gone
                       {"failed": "..."}                there is no cluster, and the driver ends

A worker is an actor that holds one core and a process `counterpoint worker`. Everything that process needs is sent
once, by content, through Ray's object store, and laid out on the node below a folder of its own in the way it lies on
this machine, so that relative names mean the same; names of that folder are taken out of what workers say. There is one
worker for each core of the cluster, or as many as were asked for: nodes that join get workers, and those of nodes that
leave are lost. What a lost worker worked on, the coordinator gives to another one.
"""

import hashlib
import json
import os
import queue
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time

import ray

# How often the cluster is asked how many cores it has.
PACE = 1.0

# How many workers in a row may end before they were ready: no other one would be.
VAIN = 3


def layout(files):
    """Writes files, given as (path, mode, content), below a folder that is the same for the same content."""
    digest = hashlib.sha256()
    for path, mode, content in files:
        digest.update(f"{path}\0{mode}\0{len(content)}\0".encode())
        digest.update(content)
    base = os.path.join(tempfile.gettempdir(), f"counterpoint-ray-{os.getuid()}")
    os.makedirs(base, mode=0o700, exist_ok=True)
    root = os.path.join(base, digest.hexdigest()[:24])
    if not os.path.isdir(root):
        # Several workers of a node may come here at once; the first one to be done wins.
        made = tempfile.mkdtemp(dir=base)
        for path, mode, content in files:
            place = made + path
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as out:
                out.write(content)
            os.chmod(place, mode)
        try:
            os.rename(made, root)
        except OSError:
            pass
    return root


class Worker:
    """A process `counterpoint worker` on a node of the cluster."""

    def __init__(self, files, program, folder, environment):
        self.root = layout(files)
        here = self.root + folder
        os.makedirs(here, exist_ok=True)
        self.process = subprocess.Popen(
            [self.root + program, "worker"],
            cwd=here,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def order(self, line):
        """Passes an order on. The process reads its orders whatever else it does, so this never takes long."""
        try:
            self.process.stdin.write(line.replace("{ROOT}", self.root).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            # The process has ended, which whoever listens finds out.
            pass

    def hear(self):
        """Waits for the next answer; None if the process has ended."""
        try:
            answer = self.process.stdout.readline()
        except OSError:
            return None
        return answer.decode().replace(self.root, "") if answer else None


def gather(names):
    """The files that these names stand for, folders with all that is in them."""
    files = []
    for name in names:
        name = os.path.abspath(name)
        below = [name] if os.path.isfile(name) else []
        for folder, _, entries in os.walk(name):
            below += [os.path.join(folder, entry) for entry in sorted(entries)]
        for path in below:
            with open(path, "rb") as content:
                mode = stat.S_IMODE(os.stat(path).st_mode)
                files.append((path, mode, content.read()))
    return sorted(set(files))


def knock(address):
    """Finds out whether anybody is at an address, which takes Ray minutes."""
    host, _, port = address.rpartition(":")
    if "://" in address or not host or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except OSError as error:
        raise ConnectionError(f"nobody answers at {address} ({error})") from error


class Driver:
    def __init__(self, start):
        self.lock = threading.Lock()
        # What each member is to be told.
        self.orders = {}
        self.next = 0
        self.vain = 0
        self.most = start.get("jobs")
        self.program = os.path.abspath(start["program"])
        self.folder = os.getcwd()
        self.environment = start.get("environment", {})
        self.load = json.dumps(start["load"])
        address = start["address"]
        quiet = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
        if address == "local":
            ray.init(num_cpus=self.most, include_dashboard=False, **quiet)
        else:
            knock(address)
            ray.init(address=address, **quiet)
        self.files = ray.put(gather([self.program] + start["files"]))
        self.actor = ray.remote(Worker)

    def say(self, **news):
        self.print(json.dumps(news))

    def print(self, line):
        with self.lock:
            print(line, flush=True)

    def cores(self):
        try:
            return int(ray.cluster_resources().get("CPU", 0))
        except Exception:
            return 0

    def fill(self):
        """Starts workers for the cores that have none."""
        wanted = self.cores() if self.most is None else self.most
        with self.lock:
            missing = 0 if self.vain >= VAIN else wanted - len(self.orders)
        for _ in range(missing):
            member = self.next
            self.next += 1
            # One thread of an actor takes orders, another one waits for answers.
            options = self.actor.options(num_cpus=1, max_concurrency=2, max_restarts=0)
            worker = options.remote(self.files, self.program, self.folder, self.environment)
            orders = queue.Queue()
            orders.put(self.load)
            with self.lock:
                self.orders[member] = orders
            threading.Thread(target=self.order, args=(worker, orders), daemon=True).start()
            threading.Thread(target=self.listen, args=(member, worker), daemon=True).start()

    def order(self, worker, orders):
        """Passes orders on to a worker, one after another, until it is gone."""
        try:
            for order in iter(orders.get, None):
                ray.get(worker.order.remote(order))
        except Exception:
            # It is gone, which whoever listens finds out.
            pass

    def listen(self, member, worker):
        """Tells what a worker says until it is gone. An order may have several answers, or none."""
        self.say(member=member, joined=True)
        ready = False
        try:
            while (answer := ray.get(worker.hear.remote())) is not None:
                # What is left of a unit can be long: its text is passed on as it is.
                if answer.strip() == '"ready"':
                    ready, self.vain = True, 0
                self.print(f'{{"member": {member}, "answer": {answer.strip()}}}')
        except Exception:
            pass
        with self.lock:
            self.orders.pop(member).put(None)
            self.vain += not ready
        try:
            ray.kill(worker)
        except Exception:
            pass
        self.say(member=member, lost=True)

    def pass_on(self, member, order):
        with self.lock:
            orders = self.orders.get(member)
        if orders is not None:
            orders.put(order)

    def grow(self):
        while True:
            self.fill()
            time.sleep(PACE)


def main():
    start = json.loads(sys.stdin.readline())["start"]
    try:
        driver = Driver(start)
    except Exception as error:
        print(json.dumps({"failed": " ".join(str(error).split())}), flush=True)
        os._exit(1)
    threading.Thread(target=driver.grow, daemon=True).start()
    for line in sys.stdin:
        said = json.loads(line)
        driver.pass_on(said["member"], said["order"])
    # The coordinator has ended, and with the driver its workers do.
    ray.shutdown()
    os._exit(0)


if __name__ == "__main__":
    main()
