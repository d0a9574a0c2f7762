#!/bin/sh
# Makes the tarball that runs on Debian 12, Ubuntu 22.04 and later without anything else: dist.sh EBB FOLDER. EBB is the
# program, linked for it. Beside it FOLDER gets a bill of materials and SHA256SUMS.
# The same program, sources and SOURCE_DATE_EPOCH make the same bytes.
set -eu
cd "$(dirname "$0")/../.."
program=$1 folder=$2
# The oldest C library it must run with: that of Ubuntu 22.04.
newest=2.35
. Resources/run/epoch.sh
fail() { echo "ebb: $*" >&2; exit 1; }

needed=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for library in $needed; do
  case $library in
    libc.so.6 | libm.so.6 | ld-linux*) ;;
    *) fail "$program needs $library, which is not on every system: install its static library and run this again." ;;
  esac
done
version=$(readelf -V "$program" | grep -o 'Name: GLIBC_[0-9A-Z_.]*' | sed 's/.*GLIBC_//' | sort -uV | tail -n 1)
[ "$(printf '%s\n' "$version" "$newest" | sort -V | tail -n 1)" = "$newest" ] ||
  fail "$program needs version $version of the C library, and is to run with $newest."

name=ebb-$(cat Resources/version)-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
mkdir -p "$folder"
EBB=$program sh Resources/run/install.sh install "$work/$name" ''
sed -i 's|ExecStart=/bin/|ExecStart=/usr/local/bin/|' "$work/$name/lib/systemd/system/ebb.service"
install -m 755 Resources/packages/tarball/install.sh "$work/$name/install.sh"
linked() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null || echo unknown; }
sh Resources/run/bill.sh "$folder/$name.cdx.json" "$work/$name/share/doc/ebb/notices" \
  "ncurses=$(linked libncurses-dev)=X11-distribute-modifications-variant" "sqlite=$(linked libsqlite3-dev)=blessing" \
  "zlib=$(linked zlib1g-dev)=Zlib" "libstdc++=$(linked libstdc++6)=GPL-3.0-or-later WITH GCC-exception-3.1"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu -C "$work" -cf - "$name" |
  gzip -9n >"$folder/$name.tar.gz"
(cd "$folder" && sha256sum "$name.tar.gz" "$name.cdx.json" >SHA256SUMS)
echo "$folder/$name.tar.gz"
