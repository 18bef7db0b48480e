#!/usr/bin/env -S python3 -B
"""Checks the sources of src/ with clang-tidy, except those that passed before: neither they nor a
header that they include has changed since. clang-tidy spends most of its time on the headers of the
system, so each call checks several sources as one. They must not define the same names."""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build/tidy"
PASSED = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "haul/tidy"
TIDY = "clang-tidy-19"
TOGETHER = 12  # Beyond that a call gets longer as fast as there are fewer calls.
# A name that is defined in the first column of a source, and a named namespace.
DEFINED = re.compile(r"^(?:(?:struct|class|enum class|using) (\w+)|[\w(].*?(\w+)(?:\(|\{| =|\[|;))")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)


class Source:
    def __init__(self, path, command):
        words = shlex.split(command.replace("-isystem ", "-isystem"))  # One word for one flag.
        compiler, *self.flags = [word for word in words[:words.index("-o")]
                                 if not word.endswith("ccache")]
        self.path = path
        self.lists = [compiler, *self.flags, "-M", "-MT", "all", str(path)]
        self.text = path.read_text()
        named = NAMESPACE.search(self.text)
        self.namespace = named[1] if named else ""
        self.names = {name for line in self.text.splitlines() if (found := DEFINED.match(line))
                      for name in found.groups() if name}

    def clashes(self, other):
        return self.namespace == other.namespace and not self.names.isdisjoint(other.names)

    @cached_property
    def mark(self):
        """The file that is there once this source has passed. Hashes whole files, not preprocessed
        text: some lines are for clang only, and comments silence checks."""
        listed = subprocess.run(self.lists, cwd=FOLDER, check=True, capture_output=True, text=True)
        seen = hashlib.sha256("\0".join([version(), *self.flags]).encode())
        for path in [ROOT / ".clang-tidy",
                     *sorted(shlex.split(listed.stdout.replace("\\\n", " "))[1:])]:
            seen.update(digest(FOLDER / path))
        return PASSED / seen.hexdigest()[:32]


@cache
def version():
    return subprocess.run([TIDY, "--version"], check=True, capture_output=True, text=True).stdout


@cache
def digest(path):
    return hashlib.sha256(path.read_bytes()).digest()


def sources():
    found = {}
    for entry in json.loads((FOLDER / "compile_commands.json").read_text()):
        path = Path(entry["file"])
        if path.is_relative_to(ROOT / "src") and not path.name.endswith("_test.cc"):
            found.setdefault(path, entry["command"])
    return [Source(path, found[path]) for path in sorted(found)]


def grouped(waiting):
    """Sources of one folder share headers, so they should share a group."""
    groups = []
    for source in waiting:
        for group in groups:
            if len(group) < TOGETHER and not any(source.clashes(other) for other in group):
                group.append(source)
                break
        else:
            groups.append([source])
    return groups


def tidy(path, flags):
    return subprocess.run([TIDY, "--quiet", f"--config-file={ROOT}/.clang-tidy", str(path), "--",
                           *flags], cwd=FOLDER, capture_output=True, text=True)


def check(number, group):
    """Whether all of the group pass. Prints what clang-tidy finds."""
    # Joined, not included: the analyzer and some checks read nothing but the main file.
    together = FOLDER / f"group_{number}.cc"
    lines = [f"{source.path}:{line}" for source in group
             for line in range(1, source.text.count("\n") + 1)]
    together.write_text("".join(source.text for source in group))
    done = tidy(together, dict.fromkeys(flag for source in group for flag in source.flags))
    if done.returncode == 0:
        for source in group:
            source.mark.touch()
        return True
    if len(group) > 1:
        # They do not compile as one. Or the analyzer follows calls from one source into another, and
        # believes in a path that cannot be.
        return all([check(f"{number}_{each}", [source]) for each, source in enumerate(group)])
    print(re.sub(re.escape(str(together)) + r":(\d+)", lambda at: lines[int(at[1]) - 1],
                 done.stdout or done.stderr), flush=True)
    return False


def main():
    PASSED.mkdir(parents=True, exist_ok=True)
    everything = sources()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        passed = threads.map(lambda source: source.mark.exists(), everything)
        waiting = [source for source, is_passed in zip(everything, passed) if not is_passed]
        groups = grouped(waiting)
        print(f"tidy: {len(waiting)} of {len(everything)} sources to check", flush=True)
        results = list(threads.map(check, range(len(groups)), groups))
    if not all(results):
        sys.exit(1)


main()
