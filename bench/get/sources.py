#!/usr/bin/env -S python3 -B
"""haul get beside itself, by where a file comes from: from two mirrors that send 10 MiB/s on each
connection beside one of them, and by a Metalink with 1,000 pieces beside the same download with
--hash sha256. Prints a table of docs/BENCHMARKS.md. Wants a release build of haul."""

import argparse
import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from statistics import median

import measure
import report
import tools
from server import MIB, Server, Source

PIECES = 1000
MIRRORED = 100 * MIB
LARGE = 1024 * MIB


def parse():
    parser = argparse.ArgumentParser(prog="./dev bench sources", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--case", action="append", choices=["mirrors", "metalink"],
                        help="only this; repeatable")
    parser.add_argument("--haul", type=Path, metavar="BINARY",
                        default=Path(__file__).resolve().parents[2] / "build/release/haul")
    return parser.parse_args()


def hashes(path):
    """Of the whole file and of each piece, and the length of a piece."""
    length = -(-path.stat().st_size // PIECES)
    whole, pieces = hashlib.sha256(), []
    with open(path, "rb") as source:
        while piece := source.read(length):
            whole.update(piece)
            pieces.append(hashlib.sha256(piece).hexdigest())
    return whole.hexdigest(), pieces, length


def metalink(path, url):
    _, pieces, length = hashes(path)
    lines = "".join(f"<hash>{piece}</hash>" for piece in pieces)
    return (f'<metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="{path.name}">'
            f"<size>{path.stat().st_size}</size>"
            f'<pieces length="{length}" type="sha-256">{lines}</pieces>'
            f"<url>{url}</url></file></metalink>\n")


class Bench:
    def __init__(self, options):
        self.options = options
        self.scratch = Path(tempfile.mkdtemp(prefix="haul-bench-sources-"))
        self.source = Source()
        self.server = None

    def stop(self):
        if self.server:
            self.server.stop()
        self.source.remove()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def prepare(self):
        self.source.add("mirrored.bin", MIRRORED)
        self.source.add("large.bin", LARGE)
        self.server = Server(self.source, self.scratch)

    def get(self, name, words):
        """Seconds of `haul get` with these words. They may name files of the scratch folder."""
        task = tools.Task([], self.scratch / "out", self.scratch / "run", self.server.certificate,
                          "large")
        measure.empty([task.folder, task.scratch])
        source = self.source.folder / name
        measure.settle(source.stat().st_size)
        command = [self.options.haul, "get", "-d", task.folder, "--per-host", "16", "--delay", "0",
                   "--segments", "1", *words]
        environment = {"PATH": os.environ["PATH"], "HOME": str(task.scratch), "LC_ALL": "C.UTF-8",
                       "XDG_STATE_HOME": str(task.scratch)}
        measured = measure.measure(command, task, environment, is_flushed=True)
        measure.check(task, [source], thoroughly=True)
        return measured["wall_s"]

    def mirrors(self):
        """How many times as fast two mirrors are as one."""
        path = "limited/mirrored.bin"
        first = self.server.url("http", path)
        whole, _, _ = hashes(self.source.folder / "mirrored.bin")
        words = ["--checksum", f"sha256:{whole}", first]
        return lambda: (self.get("mirrored.bin", words) /
                        self.get("mirrored.bin", [*words, "--mirror", self.server.mirror(path)]))

    def metalink(self):
        """The time of a Metalink ÷ that of a download with a hash."""
        url = self.server.url("http", "large.bin")
        document = self.scratch / "large.meta4"
        document.write_text(metalink(self.source.folder / "large.bin", url))
        hashed = ["--hash", "sha256"]
        return lambda: (self.get("large.bin", [*hashed, document]) /
                        self.get("large.bin", [*hashed, url]))


CASES = {
    "mirrors": ("two mirrors of 10 MiB/s, times as fast as one", "≥ 1.80", Bench.mirrors,
                lambda ratio: ratio >= 1.8),
    "metalink": ("1 GiB by a Metalink of 1,000 pieces ÷ with --hash sha256", "≤ 1.05",
                 Bench.metalink, lambda ratio: ratio <= 1.05),
}


def main():
    options = parse()
    bench = Bench(options)
    try:
        bench.prepare()
        print(f"Destination: {measure.file_system(bench.scratch)}.\n")
        report.head(["haul beside itself", "ratio [min–max]", "rounds", "wanted", ""])
        for name in options.case or CASES:
            what, wanted, prepare, is_met = CASES[name]
            run = prepare(bench)
            ratios = [run() for _ in range(options.rounds)]
            report.row([what, report.spread(ratios), str(options.rounds), wanted,
                        "met" if is_met(median(ratios)) else "missed"])
    finally:
        bench.stop()


if __name__ == "__main__":
    main()
