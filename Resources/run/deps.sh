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
  for tool in tmux curl openssl; do have "$tool" || echo "$tool"; done
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

wanted=$(missing "$1")
[ -n "$wanted" ] || exit 0
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
