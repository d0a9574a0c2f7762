#!/bin/sh
# Builds the Debian packages ebb and ebb-server: deb.sh EBB FOLDER. EBB is the program; FOLDER gets the packages.
# The same program, sources and SOURCE_DATE_EPOCH make the same bytes. REVISION is that of the packages, 1 if it is not set.
set -eu
cd "$(dirname "$0")/../.."
program=$1 folder=$2
packages=Resources/packages
for tool in dpkg-deb dpkg-shlibdeps python3 gzip; do
  command -v "$tool" >/dev/null || { echo "ebb: $tool is missing: run 'apt-get install dpkg-dev python3' as root." >&2; exit 1; }
done

version=$(cat Resources/version)-${REVISION:-1}
architecture=$(dpkg --print-architecture)
maintainer=${DEBFULLNAME:-The Ebb authors} maintainer="$maintainer <${DEBEMAIL:-ebb@packages.invalid}>"
. Resources/run/epoch.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
mkdir -p "$folder"

# The documents that each package of Debian has: documents PACKAGE ROOT
documents() {
  place=$2/usr/share/doc/$1
  mkdir -p "$place"
  sed 's/^$/./; s/^/ /' LICENSE | sed 1,4d >"$work/licence"
  sed -e "/@LICENCE@/{r $work/licence" -e 'd' -e '}' $packages/copyright >"$place/copyright"
  gzip -9n <Resources/docs/CHANGELOG.md >"$place/changelog.gz"
  printf 'ebb (%s) unstable; urgency=medium\n\n  * What changed is in changelog.gz.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$place/changelog.Debian.gz"
  install -D -m 644 "$packages/$1/lintian-overrides" "$2/usr/share/lintian/overrides/$1"
}

# finish PACKAGE ROOT DEPENDS: the control files, and the package itself
finish() {
  mkdir -p "$2/DEBIAN"
  sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@MAINTAINER@/$maintainer/" \
    -e "s/@SIZE@/$(du -sk --apparent-size --exclude=DEBIAN "$2" | cut -f1)/" -e "s/@DEPENDS@/$3/" \
    "$packages/$1/control" >"$2/DEBIAN/control"
  for script in postinst prerm postrm; do
    [ ! -e "$packages/$1/$script" ] || install -m 755 "$packages/$1/$script" "$2/DEBIAN/$script"
  done
  [ ! -d "$2/etc" ] || (cd "$2" && find etc -type f | sort | sed 's|^|/|') >"$2/DEBIAN/conffiles"
  (cd "$2" && find usr -type f | LC_ALL=C sort | xargs md5sum) >"$2/DEBIAN/md5sums"
  find "$2" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  kind=$(sed -n 's/^Architecture: //p' "$2/DEBIAN/control")
  dpkg-deb --root-owner-group -Zxz --build "$2" "$folder/${1}_${version}_$kind.deb" >/dev/null
  echo "$folder/${1}_${version}_$kind.deb"
}

root=$work/ebb
EBB=$program ZSH=share/zsh/vendor-completions sh Resources/run/install.sh install "$root" /usr program manual completions user_units
find "$root/usr/share/man" -type f -exec gzip -9n {} +
documents ebb "$root"
mkdir -p "$root/usr/share/doc/ebb/examples"
cp Resources/serve/nginx.conf Resources/serve/Caddyfile Resources/serve/fail2ban.conf "$root/usr/share/doc/ebb/examples/"
sh Resources/run/bill.sh "$work/bill.json" "$work/notices"
gzip -9n <"$work/notices" >"$root/usr/share/doc/ebb/notices.gz"
mkdir -p "$work/shlibs/debian"
printf 'Source: ebb\n\nPackage: ebb\nArchitecture: any\n' >"$work/shlibs/debian/control"
depends=$(cd "$work/shlibs" && dpkg-shlibdeps -O "$root/usr/bin/ebb" 2>"$work/shlibs.log") || { cat "$work/shlibs.log" >&2; exit 1; }
depends=${depends#shlibs:Depends=}
# Packed addresses need a loader that dpkg-shlibdeps does not ask for.
! readelf -V "$root/usr/bin/ebb" | grep -q GLIBC_ABI_DT_RELR || depends=$(echo "$depends" | sed 's/libc6 (>= 2\.3[0-5])/libc6 (>= 2.36)/')
finish ebb "$root" "$depends"

root=$work/ebb-server
install -D -m 644 $packages/ebb-server/ebb-server.service "$root/usr/lib/systemd/system/ebb-server.service"
install -D -m 644 $packages/ebb-server/default "$root/etc/default/ebb-server"
documents ebb-server "$root"
finish ebb-server "$root" ''
