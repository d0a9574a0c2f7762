#!/bin/sh
# Collects the libraries that become part of the program of the tarball: static.sh FOLDER, which the linker looks into first.
set -eu
folder=$1
mkdir -p "$folder"
archive() { "${CC:-cc}" -print-file-name="lib$1.a"; }

for library in sqlite3 z; do
  file=$(archive "$library")
  [ -e "$file" ] || { echo "ebb: lib$library.a is missing: run 'apt-get install libsqlite3-dev zlib1g-dev' as root." >&2; exit 1; }
  ln -sf "$file" "$folder/lib$library.a"
done

# On some systems curses has its lower half in a library of its own.
curses=$(archive ncursesw) terminfo=$(archive tinfo)
[ -e "$curses" ] || { echo "ebb: libncursesw.a is missing: run 'apt-get install libncurses-dev' as root." >&2; exit 1; }
[ -e "$terminfo" ] || terminfo=
rm -f "$folder/libncursesw.a"
echo "INPUT($curses $terminfo)" >"$folder/libncursesw.a"
