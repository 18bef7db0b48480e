#!/usr/bin/env -S python3 -B
"""Relays beside `curl | curl`: the same file from one local server into a multipart upload to
another, with one SHA-256 on the way. Prints time, haul ÷ pipes, as the median of the rounds with the
least and the most, and how much memory the daemon takes above idle."""

import argparse
import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from servers import Chat, Disk, Server

HAUL = Path(__file__).resolve().parents[2] / "build/release/haul"
MIB = 1 << 20
TOKEN = "1:bench"
TIMEOUT_S = 600

CASES = {  # Files, bytes of each, and the most that the daemon may take above idle.
    "one": (1, 1024 * MIB, 32),
    "many": (100, 10 * MIB, 96),
}
PIPE = r"""
set -o pipefail
{ printf '%s' "$HEAD"; curl -sS --fail "$FROM" | tee >(sha256sum > "$SUM"); printf '%s' "$TAIL"; } |
  curl -sS --fail -o /dev/null -X POST -T - -H 'Expect:' -H 'Transfer-Encoding:' \
    -H "Content-Length: $LENGTH" -H 'Content-Type: multipart/form-data; boundary=b' "$TO"
"""


def parse():
    parser = argparse.ArgumentParser(prog="./dev bench relay", description=__doc__)
    parser.add_argument("--haul", type=Path, default=HAUL)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--case", action="append", choices=list(CASES), help="only this; repeatable")
    return parser.parse_args()


class Files:
    """Sparse files whose first bytes are new in every round: haul sends a file that it has sent
    before by Telegram's own id."""

    def __init__(self, folder):
        self.folder = folder
        self.made = 0

    def make(self, count, size):
        digests = {}
        for _ in range(count):
            self.made += 1
            name = f"f{self.made}.bin"
            with open(self.folder / name, "wb") as file:
                file.write(name.encode())
                file.truncate(size)
            with open(self.folder / name, "rb") as file:
                digests[name] = hashlib.file_digest(file, "sha256").hexdigest()
        (self.folder / "digests.json").write_text(json.dumps(digests))
        return list(digests)

    def remove(self, names):
        for name in names:
            (self.folder / name).unlink()


class Daemon:
    def __init__(self, haul, scratch, disk, chat):
        self.data = scratch / "data"
        environment = dict(os.environ, HAUL__RELAY__YANDEX_URL=disk.url,
                           HAUL__RELAY__YANDEX_TOKEN="y0_bench", HAUL__RELAY__TELEGRAM_URL=chat.url,
                           HAUL__RELAY__TELEGRAM_TOKEN=TOKEN, HAUL__RELAY__QUEUE_PER_USER="1000",
                           HAUL__SERVER__LISTEN="127.0.0.1:0")
        self.log = open(scratch / "log", "wb")
        self.process = subprocess.Popen([haul, "serve", "--data", self.data], env=environment,
                                        stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=subprocess.STDOUT)
        self.url = self.wait_for_address(scratch / "log")
        self.key = (self.data / "admin.key").read_text().strip()

    def wait_for_address(self, log):
        for _ in range(600):
            for word in log.read_text(errors="replace").split():
                if "http://127.0.0.1:" in word:
                    return word[word.index("http://"):].strip("\"',.")
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise SystemExit("bench relay: haul does not start:\n" + log.read_text(errors="replace"))

    def ask(self, method, path, body=None):
        request = urllib.request.Request(
            self.url.rstrip("/") + "/api/v1" + path, method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"X-Api-Key": self.key, "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def relay(self, names):
        """Returns when all are delivered."""
        jobs = [{"lifecycle": "relay", "request": {
            "user_id": 1, "chat_id": 1000 + i, "file_id": f"/{name}", "nonce": name}}
            for i, name in enumerate(names)]
        added = self.ask("POST", "/jobs/batch", jobs)
        for each in added:
            if "error" in each:
                raise SystemExit(f"bench relay: {each['error']['detail']}")
        for each in added:
            self.wait_for(each["job"]["id"])

    def wait_for(self, job):
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end:
            seen = self.ask("GET", f"/jobs/{job}")
            if seen["state"] == "DELIVERED":
                return
            if seen["end"] != "open":
                raise SystemExit(f"bench relay: job {job} is {seen['state']}: {seen['reason']} "
                                 f"{seen['detail']}")
            time.sleep(0.01)
        raise SystemExit(f"bench relay: job {job} does not end")

    def memory(self, field):
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
        return 0

    def forget_peak(self):
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


def pipes(names, size, disk, chat, scratch):
    head = ('--b\r\nContent-Disposition: form-data; name="chat_id"\r\n\r\n42\r\n'
            '--b\r\nContent-Disposition: form-data; name="document"; filename="f.bin"\r\n'
            'Content-Type: application/octet-stream\r\n\r\n')
    tail = "\r\n--b--\r\n"
    running = [subprocess.Popen(["bash", "-c", PIPE], env=dict(
        os.environ, HEAD=head, TAIL=tail, FROM=f"{disk.url}/file/{name}",
        SUM=str(scratch / f"{name}.sum"), TO=f"{chat.url}/bot{TOKEN}/sendDocument",
        LENGTH=str(len(head) + size + len(tail)))) for name in names]
    for process in running:
        if process.wait() != 0:
            raise SystemExit("bench relay: a pipe of curl failed")


def timed(work, *arguments):
    start = time.monotonic()
    work(*arguments)
    return time.monotonic() - start


def measure(case, rounds, daemon, files, servers, scratch):
    count, size, memory_max = CASES[case]
    ours, theirs, peaks = [], [], []
    for number in range(rounds):
        sides = {}
        for side in ("haul", "pipes") if number % 2 == 0 else ("pipes", "haul"):
            names = files.make(count, size)
            if side == "haul":
                idle = daemon.memory("VmRSS")
                daemon.forget_peak()
                sides[side] = timed(daemon.relay, names)
                peaks.append(daemon.memory("VmHWM") - idle)
            else:
                sides[side] = timed(pipes, names, size, *servers, scratch)
            files.remove(names)
        ours.append(sides["haul"])
        theirs.append(sides["pipes"])
    ratios = [a / b for a, b in zip(ours, theirs)]
    print(f"| {count} × {size // MIB} MiB | {statistics.median(ours):.2f} "
          f"| {statistics.median(theirs):.2f} | {statistics.median(ratios):.2f} "
          f"[{min(ratios):.2f}–{max(ratios):.2f}] | ≤ 1.25 | {max(peaks):.0f} | ≤ {memory_max} |",
          flush=True)


def main():
    options = parse()
    scratch = Path(tempfile.mkdtemp(prefix="haul-bench-relay-"))
    files = Files(scratch / "files")
    files.folder.mkdir()
    disk, chat = Server(Disk, files.folder), Server(Chat, files.folder)
    daemon = None
    try:
        daemon = Daemon(options.haul, scratch, disk, chat)
        print("| relays | haul, s | pipes, s | ratio [min–max] | wanted | MiB above idle | wanted |")
        print("|---|---|---|---|---|---|---|")
        for case in options.case or CASES:
            measure(case, options.rounds, daemon, files, (disk, chat), scratch)
    finally:
        if daemon:
            daemon.stop()
        chat.stop()
        disk.stop()
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
