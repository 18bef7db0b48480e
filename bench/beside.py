#!/usr/bin/env -S python3 -B
"""Two builds of haul beside each other: the same work by each, the runs of a round next to each
other, the order changing from round to round. Prints time and CPU, new ÷ old, as the median of the
rounds with the least and the most. Wants haul, haul_store_bench and haul_api_bench in both."""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "get"))
import measure  # noqa: E402
import tools  # noqa: E402
from server import MIB, Server, Source  # noqa: E402

HERE = Path(__file__).resolve().parents[1] / "build/release"
KIB = 1024
FILES = {"large": {"one.bin": 512 * MIB}, "many": {f"many/{i:05}.bin": 20 * KIB for i in range(1000)}}


def parse():
    parser = argparse.ArgumentParser(prog="./dev bench beside", description=__doc__)
    parser.add_argument("old", type=Path, help="folder of the other build, such as build/release")
    parser.add_argument("--new", type=Path, default=HERE, metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--case", action="append", choices=list(CASES), help="only this; repeatable")
    return parser.parse_args()


def run(command, **more):
    """Wall and CPU seconds of a command and everything that it started and waited for."""
    with tempfile.TemporaryFile("w+") as said:
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=said, **more)
        _, status, usage = os.wait4(process.pid, 0)
        spent = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            said.seek(0)
            raise SystemExit(f"{said.read()}bench beside: {command[0]} ended with "
                             f"{process.returncode}")
    return spent, measure.seconds(usage)


class Scene:
    """What the cases need: a disk, and a server for downloads."""

    def __init__(self):
        self.scratch = Path(tempfile.mkdtemp(prefix="haul-bench-beside-"))
        self.source = Source()
        self.server = None
        self.folders = 0

    def serve(self):
        for files in FILES.values():
            for path, size in files.items():
                self.source.add(path, size)
        self.server = Server(self.source, self.scratch)

    def stop(self):
        if self.server:
            self.server.stop()
        self.source.remove()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def get(self, build, kind):
        if not self.server:
            self.serve()
        self.folders += 1
        task = tools.Task([self.server.url("http", path) for path in FILES[kind]],
                          self.scratch / f"out-{self.folders}", self.scratch / "run",
                          self.server.certificate, kind)
        measure.empty([task.folder, task.scratch])
        spent = run(tools.haul(task, build / "haul"),
                    env={"PATH": os.environ["PATH"], "HOME": str(task.scratch),
                         "XDG_STATE_HOME": str(task.scratch)})
        if kind == "large":
            shutil.rmtree(task.folder)
        return spent


def queue(part, jobs):
    return lambda scene, build: run([build / "haul", "bench", "queue", "--part", part, "--jobs",
                                     str(jobs), "--folder", scene.scratch])


CASES = {
    "store lives": lambda _, build: run([build / "haul_store_bench", "--rounds", "1", "--jobs",
                                         "40000", "lives"]),
    "store clients": lambda _, build: run([build / "haul_store_bench", "--quick", "--rounds", "1",
                                           "clients"]),
    "queue lives": queue("lives", 20000),
    "queue lives, 100,000 jobs": queue("lives", 100000),
    "queue clients": queue("clients", 20000),
    "get, 512 MiB": lambda scene, build: scene.get(build, "large"),
    "get, 1,000 files of 20 KiB": lambda scene, build: scene.get(build, "many"),
    "api adds": lambda _, build: run([build / "haul_api_bench", "--quick", "adds"]),
    "api starts": lambda _, build: run([build / "haul_api_bench", "--quick", "starts"]),
}


def told(ratios):
    return f"{statistics.median(ratios):.2f} [{min(ratios):.2f}–{max(ratios):.2f}]"


def main():
    options = parse()
    builds = [options.new.resolve(), options.old.resolve()]
    scene = Scene()
    try:
        print("| new ÷ old | time | CPU | rounds |\n|---|---|---|---|")
        for name in options.case or CASES:
            times, cpus = [], []
            for number in range(options.rounds):
                order = builds if number % 2 == 0 else builds[::-1]
                spent = {build: CASES[name](scene, build) for build in order}
                (new_time, new_cpu), (old_time, old_cpu) = (spent[build] for build in builds)
                times.append(new_time / old_time)
                cpus.append(new_cpu / old_cpu)
            print(f"| {name} | {told(times)} | {told(cpus)} | {options.rounds} |", flush=True)
    finally:
        scene.stop()


if __name__ == "__main__":
    main()
