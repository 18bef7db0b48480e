#!/usr/bin/env bash
# Checks one source file with clang-tidy, unless the same text passed before. "The same" covers every
# header it includes, comments among them, because some of them silence a check.
set -euo pipefail
path="$1" folder=build/tidy

command="$(jq -r --arg path "$PWD/$path" 'first(.[] | select(.file == $path)).command' \
  "$folder/compile_commands.json" | sed 's/^[^ ]*ccache //; s/ -o [^ ]*//')"
text="$(mktemp)"
trap 'rm -f "$text"' EXIT
(cd "$folder" && eval "$command -E -C -o '$text'")
passed="$folder/passed/$(cat "$text" .clang-tidy <(clang-tidy-19 --version) | sha256sum | cut -c 1-32)"
[ -e "$passed" ] && exit
clang-tidy-19 -p "$folder" --quiet "$path" 2> >(grep -v " warnings generated" >&2 || true)
mkdir -p "$folder/passed"
touch "$passed"
