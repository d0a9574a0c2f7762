#!/bin/sh
# Checks how the program was linked: hardened.sh EBB. Says nothing if it is well, or if there is no readelf to ask.
set -u
command -v readelf >/dev/null || exit 0
wrong=0
complain() { printf '%s %s\n' "$program" "$*" >&2; wrong=1; }

program=$1
header=$(readelf -hdl "$program" 2>/dev/null) || { complain 'is no program.'; exit 1; }
case $header in *'DYN ('*) ;; *) complain 'has the same addresses at every start (no PIE).' ;; esac
case $header in *GNU_RELRO*) ;; *) complain 'has addresses that stay writable (no RELRO).' ;; esac
case $header in *RUNPATH* | *RPATH*) complain 'looks for libraries in places of its own (RUNPATH).' ;; esac
exit "$wrong"
