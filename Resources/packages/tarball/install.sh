#!/bin/sh
# Copies Ebb to /usr/local, or to the folder that is named: sudo ./install.sh, or ./install.sh ~/.local
# bin/ebb also runs from where it is.
set -eu
cd "$(dirname "$0")"
target=${1:-/usr/local}
mkdir -p "$target"
# A program that runs can't be written over; it can be removed.
cp -R --remove-destination bin share lib "$target/"
echo "Installed $target/bin/ebb."
