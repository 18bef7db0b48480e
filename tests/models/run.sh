#!/usr/bin/env bash
# Searches the whole model of the lease: the right form must hold, and every wrong form must fail. A
# search that stops early proves neither and counts as a failure.
set -euo pipefail

model="$(cd "$(dirname "$0")" && pwd)/lease.pml"
for tool in spin gcc; do
  command -v "$tool" > /dev/null || { echo "models: $tool is not installed" >&2; exit 1; }
done

# Spin and its searches write into the current folder, so run them in a temporary one.
room="$(mktemp -d)"
trap 'rm -rf "$room"' EXIT
cp "$model" "$room/lease.pml"
cd "$room"

complain() {  # complain WHAT [MACRO...]
  cat said
  echo "$1"
  [ ! -f lease.pml.trail ] || spin "${@:2}" -t -p -g lease.pml | tail -n 60
  exit 1
} >&2

search() {  # search safety|ending [MACRO...]: leaves what the search said in the file `said`.
  local kind="$1" compile=(-O2 -w -DMEMLIM=1000) run=(-m100000)
  shift
  if [ "$kind" = safety ]; then
    compile+=(-DSAFETY -DNOCLAIM)
  else
    compile+=(-DNFAIR=3)  # Enough memory for weak fairness over the processes of this model.
    run+=(-a -f -A)       # Only the formula, under weak fairness; asserts have their own search.
  fi
  rm -f ./*.trail
  spin "$@" -a lease.pml > said 2>&1 || complain 'models: spin cannot read the model'
  gcc "${compile[@]}" -o pan pan.c
  ./pan "${run[@]}" > said 2>&1 || complain 'models: the search broke off'
}

holds() {  # holds NAME safety|ending [MACRO...]
  local name="$1" kind="$2"
  shift 2
  search "$kind" "$@"
  ! grep -qE '^pan:1: (assertion violated|acceptance cycle)' said || complain "$name: FAILS" "$@"
  if grep -qE 'max search depth too small|Search not completed' said ||
    ! grep -q 'errors: 0$' said; then
    complain "$name: the search is not complete"
  fi
  echo "$name: holds ($(awk '/states, stored/ { print $1 }' said) states)"
}

fails() {  # fails NAME safety|ending [MACRO...]
  local name="$1" kind="$2" fault='assertion violated'
  [ "$kind" = safety ] || fault='acceptance cycle'
  shift 2
  search "$kind" "$@"
  grep -q "^pan:1: $fault" said || complain "$name: passes, and must not" "$@"
  echo "$name: fails, as it must"
}

holds lease safety
holds 'lease with a user' safety -DUSER -DPAUSES=1 -DRELEASES=1
holds 'lease, job_ends' ending -DRELEASES=1

fails NO_FENCE safety -DNO_FENCE -DRELEASES=0  # Only a loss can make a zombie here.
fails NO_COMPARE safety -DNO_COMPARE -DUSER
fails RESCUE_BY_MEMORY safety -DRESCUE_BY_MEMORY
fails ADOPT_SAME_FENCE safety -DADOPT_SAME_FENCE
fails BEAT_WITHOUT_COUNTER safety -DBEAT_WITHOUT_COUNTER
fails NO_TIDY safety -DNO_TIDY
fails 'NO_TIDY, job_ends' ending -DNO_TIDY
