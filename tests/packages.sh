#!/usr/bin/env bash
# packages.sh BUILD: checks that every system header, library and program that the build in BUILD,
# the tests and the scripts use belongs to a package that ./dev installs, to one of its
# dependencies, or to Debian's minimal system. A package that only this machine has is an error:
# haul would not build or test elsewhere.
set -euo pipefail
build="$1"
cd "$(dirname "$0")/.."
room="$(mktemp -d)"
trap 'rm -rf "$room"' EXIT

# The packages ./dev names, the minimal system (essential, required, apt), and all their
# dependencies. Of alternatives and virtual packages, only the installed ones count.
allowed_packages() {
  local columns='${Package}\t${Essential}\t${Priority}\t${Pre-Depends}, ${Depends}\t${Provides}\n'
  dpkg-query -W -f "$columns" |
    awk -F '\t' -v named="$(./dev packages | tr '\n' ' ')" '
      function names(list, out,    n, i, parts) {
        n = split(list, parts, /[,|]/)
        for (i = 1; i <= n; i++) {
          gsub(/\([^)]*\)|:[a-z0-9]+|[[:space:]]/, "", parts[i])
          out[i] = parts[i]
        }
        return n
      }
      {
        needs[$1] = $4
        n = names($5, provided)
        for (i = 1; i <= n; i++) providers[provided[i]] = providers[provided[i]] " " $1
        if ($2 == "yes" || $3 == "required" || $1 == "apt") queue[++last] = $1
      }
      END {
        n = split(named, words, " ")
        for (i = 1; i <= n; i++) queue[++last] = words[i]
        for (at = 1; at <= last; at++) {
          package = queue[at]
          if (package in seen) continue
          seen[package] = 1
          print package
          n = names(needs[package], depends)
          for (i = 1; i <= n; i++) if (depends[i] != "") queue[++last] = depends[i]
          n = package == "" ? 0 : split(providers[package], words, " ")
          for (i = 1; i <= n; i++) queue[++last] = words[i]
        }
      }' | sort -u
}

headers() {
  ninja -C "$build" -t deps | grep -o '/usr/[^ ]*' | sort -u | xargs -r realpath --
}

libraries() {  # Libraries named by path, and libraries named by -l.
  ninja -C "$build" -t commands > "$room/commands"
  grep -oE '/usr/lib/[^ ]+\.(so|a)\b' "$room/commands" | sort -u
  grep -oE -- ' -l[a-zA-Z0-9_+.-]+' "$room/commands" | sort -u | sed 's/^ -l//' |
    while read -r name; do g++ -print-file-name="lib$name.so"; done
}

# files FOLDER PATTERN: the files of the tree, but for what was built or installed into it. A machine
# without git runs this, too.
files() {
  find "$1" \( -name build -o -name node_modules -o -name .git \) -prune -o \
    -type f -name "$2" -print
}

# Words in scripts where a shell expects a command, and first words of argument lists in tests.
program_words() {
  local before='(^|[|;(!]|&&|then|do|else|exec|setpriv|command -v|sudo -n)'
  local scripts
  mapfile -t scripts < <(printf '%s\n' dev .ci/run; files . '*.sh')
  sed -E -e '/^ *#/d' -e ':join; /\\$/{N; s/\\\n//; bjoin}' "${scripts[@]}" |
    grep -oE "$before[[:space:]]*[a-z0-9][a-z0-9_+.-]*" | grep -oE '[a-z0-9][a-z0-9_+.-]*$'
  local starts='(run_program|Child|bound|Words|vector<std::string>)[ a-z_=({]*'
  { files tests '*.cc'; files tests '*.h'; } | xargs cat | tr '\n' ' ' | tr -s ' ' |
    grep -oE "$starts\{\"[a-z][a-z0-9_+.-]*\",|\"/usr/s?bin/[a-z0-9_+.-]+\"" |
    grep -oE '[a-z0-9_+.-]+"' | tr -d '"'
  files . '*.py' | xargs grep -ohE '\["[a-z0-9/_-]+",|which\("[a-z0-9-]+"\)' |
    grep -oE '[a-z0-9_-]+"' | tr -d '"'
  files . '*.mjs' | xargs grep -ohE "(spawn|execFile)[a-zA-Z]*\('[a-z0-9-]+'" |
    grep -oE "[a-z0-9-]+'$" | tr -d "'"
  { echo CMakeLists.txt; files cmake '*'; } |
    xargs grep -ohE 'find_program\([A-Z_]+ [a-z0-9-]+' | sed 's/.* //'
}

# Keeps only words that name a program in a system folder. npm may be installed elsewhere. "make" is
# excluded because it is an argument of torrents.py.
programs() {
  program_words | sort -u | grep -vx make | while read -r word; do
    for folder in /usr/bin /usr/sbin; do
      if [ -x "$folder/$word" ]; then echo "$folder/$word"; break; fi
    done
  done
}

# Maps the files on standard input to packages: each package once, with one of its files. Ignores
# files that belong to no package, because they are not Debian's. Packages may still list their
# files under /bin and /lib, which are links to /usr since Debian 12.
owners() {
  sort -u > "$room/files"
  { cat "$room/files"; sed 's|^/usr||' "$room/files"; } |
    { xargs -r dpkg -S 2> /dev/null || true; } |
    sed -nE 's/^([a-z0-9+.-]+)(:[a-z0-9]+)?(, [^:]*)?: (.*)/\1 \4/p' | sort -u -k1,1
}

allowed_packages > "$room/allowed"
failed=0
for kind in headers libraries programs; do
  "$kind" > "$room/$kind"
  owners < "$room/$kind" > "$room/owners"
  if [ ! -s "$room/owners" ]; then
    echo "packages: found no $kind at all, so nothing was checked" >&2
    failed=1
  fi
  while read -r package file; do
    echo "packages: $file is in $package, which ./dev does not install" >&2
    failed=1
  done < <(join -v 1 "$room/owners" "$room/allowed")
  echo "packages: $(wc -l < "$room/$kind") $kind of $(wc -l < "$room/owners") packages"
done
exit "$failed"
