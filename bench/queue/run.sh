#!/usr/bin/env bash
# haul's queue beside graphile-worker, pg-boss and BullMQ: the same requests, full durability, its
# own servers on loopback, the measurements of a round next to each other. Prints the tables of
# docs/BENCHMARKS.md. Wants `npm ci` here, and a release build of haul.
#
#   run.sh [--rounds N] [--haul BINARY] [--no-large] [--part lives|clients|latency]
set -euo pipefail
cd "$(dirname "$0")"

rounds=5
haul=../../build/release/haul
large=yes
parts=(lives clients latency)
while [ $# -gt 0 ]; do
  case "$1" in
    --rounds) rounds="$2"; shift 2 ;;
    --haul) haul="$2"; shift 2 ;;
    --no-large) large=no; shift ;;
    --part) parts=("$2"); shift 2 ;;
    *) echo "run.sh [--rounds N] [--haul BINARY] [--no-large] [--part lives|clients|latency]" >&2; exit 2 ;;
  esac
done

scratch="$(mktemp -d "${TMPDIR:-/tmp}/haul-bench-queue-XXXXXX")"
chmod 711 "$scratch"  # PostgreSQL refuses to run as root, so its user must get through.
servers=()
stop() {
  local pid  # PostgreSQL waits for its clients on TERM, and does not on INT.
  for pid in "${servers[@]}"; do kill -INT "$pid" 2>/dev/null || true; done
  for pid in "${servers[@]}"; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$scratch"
}
trap stop EXIT
trap 'exit 130' INT TERM

if [ "$(stat -f -c %T "$scratch")" = tmpfs ]; then
  echo "run.sh: a flush costs nothing in memory; set TMPDIR to a folder on a disk" >&2
  exit 2
fi

node="$(ls "$PWD"/node_modules/node-linux-*/bin/node | head -1)"
free_port() {
  "$node" -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => {
    console.log(s.address().port); s.close(); })'
}
wait_for() {  # wait_for COMMAND...: until it succeeds, ten seconds at most
  local try
  for try in $(seq 100); do "$@" > /dev/null 2>&1 && return; sleep 0.1; done
  echo "run.sh: $1 did not succeed in time" >&2
  exit 1
}

start_postgres() {
  local bin port as=()
  bin="$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)"
  port="$(free_port)"
  mkdir "$scratch/postgres"
  if [ "$(id -u)" -eq 0 ]; then
    chown postgres "$scratch/postgres"
    as=(setpriv --reuid=postgres --regid=postgres --init-groups)
  fi
  "${as[@]}" "$bin/initdb" -D "$scratch/postgres/data" -A trust -U bench > /dev/null
  "${as[@]}" "$bin/postgres" -D "$scratch/postgres/data" -p "$port" -c listen_addresses=127.0.0.1 \
    -c "unix_socket_directories=$scratch/postgres" -c fsync=on -c synchronous_commit=on \
    > "$scratch/postgres.log" 2>&1 &
  servers+=($!)
  wait_for "$bin/pg_isready" -h 127.0.0.1 -p "$port"
  export BENCH_PG="postgres://bench@127.0.0.1:$port/postgres"
}

start_redis() {
  BENCH_REDIS_PORT="$(free_port)"
  export BENCH_REDIS_PORT
  mkdir "$scratch/redis"
  redis-server --port "$BENCH_REDIS_PORT" --bind 127.0.0.1 --dir "$scratch/redis" --save '' \
    --appendonly yes --appendfsync always > "$scratch/redis.log" 2>&1 &
  servers+=($!)
  wait_for redis-cli -p "$BENCH_REDIS_PORT" ping
}

# Servers go on writing for a while after they were asked; the next one is not to pay for it. Ten
# seconds at most, for a machine that is never idle.
settle() {
  local try before after
  sync
  for try in $(seq 10); do
    before=($(head -1 /proc/stat))
    sleep 1
    after=($(head -1 /proc/stat))
    if [ $((after[4] - before[4])) -ge $((85 * $(nproc))) ]; then return; fi  # In 1/100 s.
  done
}

measure() {  # measure ROUND SYSTEM COMMAND...
  local round="$1" system="$2" result
  shift 2
  settle
  echo "round $round: $system ${*: -1}" >&2
  result="$(timeout 900 "$@")"
  echo "{\"round\":$round,\"system\":\"$system\",\"result\":$result}" >> "$scratch/results.jsonl"
}

measure_part() {  # measure_part ROUND SYSTEM PART
  if [ "$2" = haul ]; then
    measure "$1" haul "$haul" bench queue --json --folder "$scratch" --jobs 20000 --part "$3"
  else
    measure "$1" "$2" "$node" "$2.mjs" "$3"
  fi
}

start_postgres
start_redis
systems=(haul graphile pgboss bullmq)
for round in $(seq "$rounds"); do
  for part in "${parts[@]}"; do
    for i in 0 1 2 3; do  # Who is first changes from round to round.
      measure_part "$round" "${systems[(i + round) % 4]}" "$part"
    done
  done
  [ "$large" = no ] ||
    measure "$round" haul "$haul" bench queue --json --folder "$scratch" --part lives --jobs 500000
done
"$node" report.mjs "$scratch/results.jsonl"
