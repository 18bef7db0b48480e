#!/usr/bin/env bash
# fresh.sh [--all]: follows the README in a bare Debian 12. Makes a minimal root with debootstrap,
# clones the last commit into it, runs ./dev run there until the page answers, then ./dev check
# (--all: ./dev test), and removes the root. Needs root. Package sources, npm settings and
# certificates come from this machine; everything else comes from the packages that ./dev installs.
set -euo pipefail
here="$(cd "$(dirname "$0")/.." && pwd)"

# Runs in its own namespaces: when this script ends, however it ends, the kernel removes its mounts
# and processes.
if [ "${HAUL_FRESH_INSIDE:-}" = "" ]; then
  [ "$(id -u)" -eq 0 ] || { echo "./dev fresh needs root: it makes a Debian root" >&2; exit 2; }
  [ -z "$(git -C "$here" status --porcelain)" ] ||
    echo "fresh: uncommitted changes are left out; the last commit is tried" >&2
  room="$(mktemp -d "${TMPDIR:-/tmp}/haul-fresh.XXXXXX")"
  trap 'rm -rf --one-file-system "$room"' EXIT
  HAUL_FRESH_INSIDE="$room" unshare --mount --pid --fork --kill-child \
    bash "$here/tests/fresh.sh" "$@"
  exit
fi

root="$HAUL_FRESH_INSIDE/root"
tests=check
[ "${1:-}" != --all ] || tests=test
began=$SECONDS
tell() { echo "fresh: $* ($((SECONDS - began)) s)"; }

# The Debian mirror that apt uses on this machine.
mirror() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk '$2 == "bookworm" && $3 == "main" { print $1; exit }'
}

make_root() {
  local file
  debootstrap --variant=minbase bookworm "$root" "$(mirror)" > "$HAUL_FRESH_INSIDE/log" 2>&1 ||
    { tail -n 20 "$HAUL_FRESH_INSIDE/log" >&2; exit 1; }
  rm -f "$root/etc/apt/sources.list"
  for file in /etc/apt/sources.list* /etc/apt/auth.conf* /etc/apt/trusted.gpg*; do
    [ ! -e "$file" ] || cp -r "$file" "$root/etc/apt/"
  done
  # Proxies, retries and the like, but not the hooks of packages that the root does not have.
  apt-config dump | grep -E '^Acquire::(http|https|Check-Valid-Until|Retries)' \
    > "$root/etc/apt/apt.conf.d/99settings" || true
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  mkdir -p "$root/etc/ssl/certs"
  cp -rL /etc/ssl/certs/. "$root/etc/ssl/certs/"
  [ ! -f "$HOME/.npmrc" ] || cp "$HOME/.npmrc" "$root/root/.npmrc"
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/tmp"
}

# Shares this machine's ccache. ccache looks a file up by everything that went into it, headers too,
# so the cache saves time and hides nothing. The path of the tree is part of that, so the clone has
# the same path as this tree.
share_cache() {
  local cache
  command -v ccache > /dev/null || return 0
  cache="$(ccache --get-config cache_dir)"
  mkdir -p "$cache" "$root/root/.cache/ccache"
  mount --bind "$cache" "$root/root/.cache/ccache"
}

# Runs a command in the root with a user's environment and with this machine's npm registry, proxies
# and certificates.
inside() {  # inside COMMAND...
  local settings=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
                  LANG=C.UTF-8 TERM=dumb) name registry
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY \
              NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR; do
    [ -z "${!name:-}" ] || settings+=("$name=${!name}")
  done
  if command -v npm > /dev/null && registry="$(npm config get registry 2> /dev/null)"; then
    settings+=("npm_config_registry=$registry")
  fi
  # shellcheck disable=SC2016
  chroot "$root" env -i "${settings[@]}" bash -c 'cd "$1" && shift && exec "$@"' _ "$here" "$@"
}

page_status() {  # page_status PORT: prints the first line of the page's answer
  exec 3<> "/dev/tcp/127.0.0.1/$1"
  printf 'GET / HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$1" >&3
  head -n 1 <&3
}

try_run() {
  local line port status daemon
  coproc daemon_output { inside ./dev run --listen 127.0.0.1:0 2>&1; }
  daemon=$!
  while read -r line <&"${daemon_output[0]}"; do
    echo "  $line" | sed 's/^Admin key: .*/Admin key: …/'
    port="$(sed -nE 's|.*http://127\.0\.0\.1:([0-9]+).*|\1|p' <<< "$line")"
    [ -z "$port" ] || break
  done
  [ -n "${port:-}" ] || { echo "fresh: ./dev run ended before the daemon was there" >&2; exit 1; }
  status="$(page_status "$port")"
  case "$status" in
    *" 200 "*) tell "./dev run: the page answers" ;;
    *) echo "fresh: the page answers with '$status'" >&2; exit 1 ;;
  esac
  kill $(cat "/proc/$daemon/task/$daemon/children")  # The daemon is the shell's only child.
  wait "$daemon" || true
}

mount -t proc proc /proc
make_root
tell "a bare Debian 12"
git clone -q --no-hardlinks "$here" "$root$here"
git -C "$here" rev-parse --short HEAD
share_cache
try_run
inside ./dev "$tests"
tell "./dev $tests: passed"
