#!/usr/bin/env bash
# Checks one source file with clang-tidy, unless it passed before and neither it nor any header that
# it includes has changed since.
set -euo pipefail
path="$1" folder=build/tidy

command="$(jq -r --arg path "$PWD/$path" 'first(.[] | select(.file == $path)).command' \
  "$folder/compile_commands.json" | sed 's/^[^ ]*ccache //; s/ -o [^ ]*//')"
# Whole files, not preprocessed text: some lines are for clang only, and comments silence checks.
hash="$( (cd "$folder" && eval "$command -M -MT all" | sed 's/^all://; s/\\$//' | xargs cat
          cat ../../.clang-tidy; echo "$command"; clang-tidy-19 --version) | sha256sum | cut -c 1-32)"
[ -e "$folder/passed/$hash" ] && exit
clang-tidy-19 -p "$folder" --quiet "$path" 2> >(grep -v " warnings generated" >&2 || true)
mkdir -p "$folder/passed"
touch "$folder/passed/$hash"
