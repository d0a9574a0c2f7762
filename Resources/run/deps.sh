#!/bin/sh
# Makes sure that what Ebb is built from is there: deps.sh build, or deps.sh test for what the tests use too.
# Installs what is missing with apt; needs neither root nor a network when nothing is.
set -u

say() { printf 'ebb: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

if ! have "${SWIFT:-swift}"; then
  say "Swift is not installed: get version 6.2 or later from https://www.swift.org/install and run this again."
  exit 1
fi

compiler=cc
have cc || compiler=clang

# Whether a program that includes HEADER and calls CALL can be linked with LIBRARY.
links() {
  printf '#define NCURSES_WIDECHAR 1\n#include <%s>\nint main(void) { %s; return 0; }\n' "$1" "$2" |
    "$compiler" -x c -o /dev/null - "$3" >/dev/null 2>&1
}

missing() {
  links curses.h 'wint_t key; get_wch(&key)' -lncursesw || echo ncurses
  links sqlite3.h 'sqlite3_libversion()' -lsqlite3 || echo libsqlite3-dev
  [ "$1" = test ] || return 0
  for tool in tmux curl openssl zsh fish groff mandoc; do have "$tool" || echo "$tool"; done
  ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || have initdb || echo postgresql
  python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
  have chromium-headless-shell || have chromium || have chromium-browser || have google-chrome || echo chromium
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif have sudo && [ -t 0 ]; then sudo "$@"
  elif have sudo; then sudo -n "$@"
  else return 1
  fi
}

install() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 install -y "$@"; }

# The library of wide characters has changed its package's name over the years. Of Chromium the tests need no window.
install_all() {
  for part in "$@"; do
    case $part in
      ncurses) install libncursesw5-dev || install libncurses-dev ;;
      chromium) install chromium-headless-shell || install chromium ;;
      *) install "$part" ;;
    esac || return 1
  done
}

# What the tests of /openapi.json use, from PyPI, in a folder of its own. They are skipped without it.
python_tools() {
  cd "$(dirname "$0")/../.." || return 0
  tools=.build/python
  cmp -s Resources/run/python.txt "$tools/installed.txt" && return 0
  mkdir -p .build
  say "installing what the tests of /openapi.json use"
  if python3 -m venv --clear "$tools" >.build/python.log 2>&1 &&
    "$tools/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
      -r Resources/run/python.txt >>.build/python.log 2>&1
  then cp Resources/run/python.txt "$tools/installed.txt"
  else
    rm -rf "$tools"
    say "PyPI could not be reached: the tests of /openapi.json are skipped (.build/python.log says why)."
  fi
  return 0
}

# What some tests use if it is there, in a folder of its own, since the packages themselves would start services:
# unpack NAME FILE PACKAGE…, where FILE is of the first package. Libraries that the system lacks are found there too.
unpack() {
  cd "$(dirname "$0")/../.." || return 0
  name=$1 folder=.build/$1 file=$2
  shift 2
  for found in "$folder"/$file /$file; do [ ! -e "$found" ] || return 0; done
  have apt-get && have dpkg || return 0
  rm -rf "$folder"
  mkdir -p "$folder"
  say "fetching $name for the tests"
  if (cd "$folder" && apt-get -qq download "$@" && for part in *.deb; do dpkg -x "$part" . || exit 1; done) \
    >"$folder.log" 2>&1 && is_whole "$folder" "$folder"/$file >>"$folder.log" 2>&1
  then rm -f "$folder"/*.deb
  else
    rm -rf "$folder"
    say "$name could not be fetched: the tests with it are skipped ($folder.log says why)."
  fi
  return 0
}

# Whether each library of FILE is there, on the system or in FOLDER: is_whole FOLDER FILE.
is_whole() {
  for libraries in "$1"/usr/lib/*-linux-gnu*; do export LD_LIBRARY_PATH="$libraries"; done
  ldd "$2" && ! ldd "$2" | grep -q 'not found'
}

test_tools() {
  (python_tools)
  (unpack nginx usr/sbin/nginx nginx)
  (unpack pgbouncer usr/sbin/pgbouncer pgbouncer libevent-2.1-7 libc-ares2)
  (unpack libfaketime 'usr/lib/*/faketime/libfaketime.so.1' libfaketime)
}

wanted=$(missing "$1")
if [ -z "$wanted" ]; then
  [ "$1" != test ] || test_tools
  exit 0
fi
named=$(echo $wanted | sed 's/ncurses/libncurses-dev/')

if ! have apt-get; then
  say "missing: $named. Install these with your system's package manager (the development files) and run this again."
  exit 1
fi
say "installing what is missing: $named"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { as_root apt-get -qq update && install_all $wanted; } >"$log" 2>&1; then
  tail -n 5 "$log" >&2
  say "could not install $named: run 'apt-get install $named' as root and then this again."
  exit 1
fi
still=$(missing "$1")
[ -z "$still" ] || { say "installed, but not found by the compiler: $(echo $still). See that '$compiler' works."; exit 1; }
[ "$1" != test ] || test_tools
