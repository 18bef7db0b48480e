"""One run of one tool: timed until its files are flushed, then checked against the source."""

import mmap
import os
import shutil
import signal
import subprocess
import time

FLUSHERS = 8      # As many flush at once, because one after the other is slower for every tool.
TIMEOUT_S = 900
CHUNK = 8 << 20
SPARE = 2 << 30   # What else a run may take of memory that was given back.


class Failed(Exception):
    """The tool did not do what it was asked."""


def seconds(usage):
    return usage.ru_utime + usage.ru_stime


def run_tool(command, task, environment):
    """CPU seconds and peak memory in MiB.

    /usr/bin/time stands in between, because a process inherits the peak of whoever started it, and
    that would be Python's.
    """
    peak = task.scratch / "peak"
    with open(task.scratch / "log", "wb") as log:
        process = subprocess.Popen(["/usr/bin/time", "-q", "-f", "%M", "-o", peak, *command],
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   env=environment, start_new_session=True)
        try:
            status, usage = wait_for(process)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
    if status != 0:
        end = (task.scratch / "log").read_bytes()[-300:].decode(errors="replace").strip()
        raise Failed(f"exit {status} {end}")
    return seconds(usage), int(peak.read_text().split()[-1]) / 1024


def wait_for(process):
    signal.setitimer(signal.ITIMER_REAL, TIMEOUT_S)
    try:
        _, status, usage = os.wait4(process.pid, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage


def flush(folder):
    """fdatasync of every file, not a sync of the disk: that would flush what strangers wrote."""
    paths = sorted(entry.path for entry in os.scandir(folder))
    groups = [paths[i::FLUSHERS] for i in range(FLUSHERS) if paths[i::FLUSHERS]]
    flushers = [subprocess.Popen(["sync", "--data", *group]) for group in groups]
    spent = 0.0
    for flusher in flushers:
        _, status, usage = os.wait4(flusher.pid, 0)
        flusher.returncode = os.waitstatus_to_exitcode(status)
        spent += seconds(usage)
    if any(flusher.returncode for flusher in flushers):
        raise Failed("its files could not be flushed")
    return spent


def same_bytes(one, other):
    with open(one, "rb", 0) as left, open(other, "rb", 0) as right:
        while True:
            chunk = left.read(CHUNK)
            if chunk != right.read(CHUNK):
                return False
            if not chunk:
                return True


def check(task, sources, thoroughly):
    found = {entry.name: entry.stat().st_size for entry in os.scandir(task.folder)}
    wanted = {source.name: source.stat().st_size for source in sources}
    if found != wanted:
        odd = [name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name)]
        raise Failed(f"{len(odd)} files missing, left over or of a wrong size, such as {odd[0]}")
    if thoroughly:
        for source in sources:
            if not same_bytes(source, task.folder / source.name):
                raise Failed(f"{source.name} differs from its source")


def measure(command, task, environment, is_flushed):
    start = time.monotonic()
    cpu_s, peak_mib = run_tool(command, task, environment)
    flush_cpu_s = 0.0 if is_flushed else flush(task.folder)
    wall_s = time.monotonic() - start
    return {"wall_s": wall_s, "cpu_s": cpu_s + flush_cpu_s, "tool_cpu_s": cpu_s,
            "peak_mib": peak_mib}


def file_system(folder):
    """What it is and whether it has a journal, on which the cost of a flush depends."""
    kind = subprocess.run(["findmnt", "-n", "-o", "FSTYPE", "-T", folder], capture_output=True,
                          text=True, check=False).stdout.strip() or "unknown"
    if kind != "ext4":
        return kind
    device = os.stat(folder).st_dev
    block = os.path.realpath(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}")
    try:
        with open(f"/sys/fs/ext4/{os.path.basename(block)}/journal_task", encoding="ascii") as task:
            has_journal = task.read().strip() != "<none>"
    except OSError:
        return kind
    return f"{kind} {'with' if has_journal else 'without'} a journal"


def idle_ticks():
    with open("/proc/stat", encoding="ascii") as stat:
        return int(stat.readline().split()[4])


def empty(folders):
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()


def touch_memory(needs):
    """A virtual machine may give free memory back to its host; the run that first writes to it
    again would pay for that, with up to three times its own time, whatever the tool."""
    touched = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE
    mmap.mmap(-1, needs + SPARE, flags=touched).close()


def settle(needs):
    """The next run is not to pay for the last one. Ten seconds at most, on a busy machine."""
    os.sync()
    wanted = 0.85 * os.sysconf("SC_CLK_TCK") * os.cpu_count()
    for _ in range(10):
        before = idle_ticks()
        time.sleep(1)
        if idle_ticks() - before >= wanted:
            break
    touch_memory(needs)
