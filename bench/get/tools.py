"""How each tool is asked to download, at its best setting for the case.

Best means: what was fastest when tried. One connection for a large file, because more of them only
cost (but axel gains); sixteen where the server limits each; sixteen at once for many files. Left
out is what a tool cannot do: a limited file takes curl sixteen times as long, since it has one
connection a file, and wget2 eight times; axel takes one file only.
"""

from dataclasses import dataclass
from pathlib import Path

CONNECTIONS = 16


@dataclass
class Task:
    urls: list
    folder: Path       # Where the files go; empty.
    scratch: Path      # For lists and state; empty.
    certificate: Path  # What the server of TLS is trusted by.
    kind: str          # large, limited or many


def names(task):
    return [url.rsplit("/", 1)[1] for url in task.urls]


def write_list(task, lines):
    path = task.scratch / "list"
    path.write_text("".join(line + "\n" for line in lines))
    return path


def haul(task, binary):
    command = [binary, "get", "-d", task.folder, "--per-host", str(CONNECTIONS), "--delay", "0",
               "--segments", str(CONNECTIONS)]
    if task.kind == "many":
        return command + ["-i", write_list(task, task.urls)]
    return command + task.urls


def curl(task):
    pairs = [line for url, name in zip(task.urls, names(task))
             for line in (f'url = "{url}"', f'output = "{task.folder / name}"')]
    return ["curl", "-q", "--silent", "--show-error", "--fail", "--cacert", task.certificate,
            "--parallel", "--parallel-max", str(CONNECTIONS), "--config", write_list(task, pairs)]


# aria2c would flush a control file of its own beside each download, at four times the cost.
def aria2c(task):
    each = CONNECTIONS if task.kind == "limited" else 1
    command = ["aria2c", "--no-conf", "--quiet", "--auto-save-interval=0",
               f"--ca-certificate={task.certificate}", f"--dir={task.folder}",
               f"--max-connection-per-server={each}", f"--split={each}", "--min-split-size=1M",
               f"--max-concurrent-downloads={CONNECTIONS}"]
    if task.kind == "many":
        return command + ["--file-allocation=none", f"--input-file={write_list(task, task.urls)}"]
    return command + ["--file-allocation=falloc", *task.urls]


def wget2(task):
    return ["wget2", "--no-config", "--quiet", "--no-robots", "--no-hsts", "--no-ocsp",
            f"--ca-certificate={task.certificate}", f"--directory-prefix={task.folder}",
            f"--max-threads={CONNECTIONS}", f"--input-file={write_list(task, task.urls)}"]


# axel finds no address in a certificate, so it may not look; that saves it a millisecond.
def axel(task):
    return ["axel", "--quiet", "--insecure", f"--num-connections={CONNECTIONS}",
            f"--output={task.folder / names(task)[0]}", task.urls[0]]


PEERS = {"curl": curl, "aria2c": aria2c, "wget2": wget2, "axel": axel}
CAN = {"large": list(PEERS), "limited": ["aria2c", "axel"], "many": ["curl", "aria2c", "wget2"]}
