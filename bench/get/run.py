#!/usr/bin/env -S python3 -B
"""haul get beside curl, aria2c, wget2 and axel: the same files from the same nginx on loopback onto
a disk, every run ending when its files are flushed, the runs of a round next to each other. Prints
the tables of docs/BENCHMARKS.md. Wants a release build of haul."""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import measure
import report
import tools
from server import MIB, Server, Source

GIB = 1024 * MIB
KIB = 1024

# ext4 passes over inodes that were freed in the last minutes, one by one: a run after thousands of
# files were removed takes five times as long, whatever the tool. So many are kept to the end.
MANY = 1000

# What is wanted of haul's time: against the best peer, and against aria2c where that is promised.
# Without a journal, haul flushes each small file, which the peers do not.
LARGE = {"best": 1.0}
SMALL = {"best": 1.0, "aria2c": 0.6}
SMALL_WITHOUT_JOURNAL = {"best": 1.1, "aria2c": 0.6}
CASES = {
    # name      kind       files of bytes    quick: files of bytes  wanted
    "1g":      ("large",   1,    GIB,        1,   64 * MIB,         LARGE),
    "4g":      ("large",   1,    4 * GIB,    1,   128 * MIB,        LARGE),
    "small":   ("many",    5000, 20 * KIB,   200, 20 * KIB,         SMALL),
    "medium":  ("many",    200,  5 * MIB,    10,  5 * MIB,          LARGE),
    "limited": ("limited", 1,    GIB,        1,   64 * MIB,         LARGE),
}


def parse():
    parser = argparse.ArgumentParser(prog="./dev bench get", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="small files, one round")
    parser.add_argument("--case", action="append", choices=list(CASES),
                        help="only this; repeatable")
    parser.add_argument("--over", choices=["http", "tls"], help="only this; both otherwise")
    parser.add_argument("--only", help="only these tools: haul,curl,aria2c,wget2,axel")
    parser.add_argument("--haul", type=Path, metavar="BINARY",
                        default=Path(__file__).resolve().parents[2] / "build/release/haul")
    parser.add_argument("--save", type=Path, metavar="FILE", help="every run, as JSON lines")
    options = parser.parse_args()
    known = ["haul", *tools.PEERS]
    options.only = options.only.split(",") if options.only else known
    if unknown := set(options.only) - set(known):
        parser.error(f"--only: there is no {', '.join(sorted(unknown))}")
    if options.quick:
        options.rounds = 1
    return options


def can_get(binary):
    if binary.exists() and subprocess.run([binary, "get", "--help"], capture_output=True,
                                          check=False).returncode == 0:
        return True
    print(f"bench get: {binary} cannot get, so it is left out", file=sys.stderr)
    return False


class Bench:
    def __init__(self, options):
        self.options = options
        self.results = []
        self.folders = 0
        self.tools = [tool for tool in options.only if tool != "haul" or can_get(options.haul)]
        self.scratch = Path(tempfile.mkdtemp(prefix="haul-bench-get-"))
        self.source = Source()
        self.server = None

    def stop(self):
        if self.server:
            self.server.stop()
        self.source.remove()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def prepare(self):
        kind = subprocess.run(["stat", "-f", "-c", "%T", self.scratch], capture_output=True,
                              text=True, check=True).stdout.strip()
        if kind == "tmpfs":
            raise SystemExit("bench get: a flush costs nothing in memory; set TMPDIR to a disk")
        cases = [self.files_of(name) for name in self.cases()]
        for folder, what in ((self.source.folder, "memory"), (self.scratch, "disk")):
            need = sum(sum(files.values()) for files in cases)  # A disk needs one case at a time.
            if shutil.disk_usage(folder).free < need:
                raise SystemExit(f"bench get: {folder} lacks {need // MIB} MiB of {what}")
        for files in cases:
            for path, size in files.items():
                self.source.add(path, size)
        self.server = Server(self.source, self.scratch)

    def cases(self):
        return self.options.case or list(CASES)

    def files_of(self, name):
        kind, count, size, quick_count, quick_size, _ = CASES[name]
        if self.options.quick:
            count, size = quick_count, quick_size
        if kind == "many":
            return {f"{name}/{i:05}.bin": size for i in range(count)}
        return {f"one-{size // MIB}.bin": size}

    def task(self, name, how):
        kind = CASES[name][0]
        prefix = "limited/" if kind == "limited" else ""
        urls = [self.server.url(how, prefix + path) for path in self.files_of(name)]
        self.folders += 1
        return tools.Task(urls, self.scratch / f"out-{self.folders}", self.scratch / "run",
                          self.server.certificate, kind)

    def run(self, number, name, how, tool):
        task = self.task(name, how)
        measure.empty([task.folder, task.scratch])
        if not self.options.quick:
            measure.settle(sum(self.files_of(name).values()))
        environment = {"PATH": os.environ["PATH"], "HOME": str(task.scratch), "LC_ALL": "C.UTF-8",
                       "XDG_STATE_HOME": str(task.scratch), "SSL_CERT_FILE": str(task.certificate)}
        command = (tools.haul(task, self.options.haul) if tool == "haul"
                   else tools.PEERS[tool](task))
        result = {"round": number, "case": f"{name} {how}", "tool": tool}
        try:
            # What haul says has arrived is flushed; the others leave that to the kernel.
            result |= measure.measure(command, task, environment, is_flushed=tool == "haul")
            sources = [self.source.folder / path for path in self.files_of(name)]
            measure.check(task, sources, thoroughly=number == 1)
        except measure.Failed as failed:
            result["failed"] = str(failed)
        if len(task.urls) < MANY:
            shutil.rmtree(task.folder, ignore_errors=True)
        self.keep(result)

    def keep(self, result):
        self.results.append(result)
        line = json.dumps(result)
        print(line, file=sys.stderr)
        if self.options.save:
            with open(self.options.save, "a", encoding="utf-8") as out:
                out.write(line + "\n")

    def run_all(self):
        overs = [self.options.over] if self.options.over else ["http", "tls"]
        for number in range(1, self.options.rounds + 1):
            for name in self.cases():
                able = [tool for tool in self.tools
                        if tool == "haul" or tool in tools.CAN[CASES[name][0]]]
                for how in overs:
                    for i in range(len(able)):  # Who is first changes from round to round.
                        self.run(number, name, how, able[(i + number) % len(able)])
        if self.options.quick:
            print("Quick: the files are too small to mean anything.\n")
        destination = measure.file_system(self.scratch)
        print(f"Destination: {destination}.")
        report.print_report(self.results, {f"{name} {how}": self.wanted(name, destination)
                                           for name in self.cases() for how in overs})

    def wanted(self, name, destination):
        wanted = CASES[name][5]
        is_slower = wanted is SMALL and destination.endswith("without a journal")
        return SMALL_WITHOUT_JOURNAL if is_slower else wanted


def stopped(number, _frame):
    if number == signal.SIGALRM:
        raise measure.Failed("it took too long")
    raise SystemExit(128 + number)


def main():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, stopped)
    options = parse()
    bench = Bench(options)
    try:
        bench.prepare()
        bench.run_all()
    finally:
        bench.stop()
    return 1 if any("failed" in r for r in bench.results if r["tool"] == "haul") else 0


if __name__ == "__main__":
    sys.exit(main())
