#!/bin/sh
# Tests what `make deb` and `make dist` made: test-packages.sh FOLDER. Looks at the packages with lintian, makes them again and
# compares the bytes, installs, uses, upgrades and removes them in a Debian 12 of their own, and runs the tarball in one and in
# an Ubuntu 22.04 that have nothing but their base; test-units.sh runs the units. Needs root; the systems come from DEBIAN_MIRROR
# and UBUNTU_MIRROR, and are kept in .build/systems.
set -eu
cd "$(dirname "$0")/../.."
folder=$1
work=.build/systems/work
version=$(cat Resources/version)
server=

stop() {
  [ -z "$server" ] || { kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; }
  server=
}
. Resources/run/systems.sh
need lintian debootstrap

# serve COMMAND…: runs a server in the system, and sets $url once it answers.
serve() {
  within "$@" >"$work/server.log" 2>&1 &
  server=$!
  tries=0
  while url=$(sed -n 's/.*\(http:\/\/127\.0\.0\.1:[0-9][0-9]*\).*/\1/p;1q' "$work/server.log") && [ -z "$url" ]; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] && kill -0 $server 2>/dev/null || { cat "$work/server.log" >&2; fail 'the server did not start'; }
    sleep 0.1
  done
}

deb=$(echo "$folder"/ebb_"$version"-1_*.deb) server_deb=$folder/ebb-server_$version-1_all.deb
tarball=$(echo "$folder"/ebb-"$version"-linux-*.tar.gz)
for file in "$deb" "$server_deb" "$tarball"; do [ -e "$file" ] || fail "$file is not there: run 'make deb dist' first."; done

say 'lintian'
lintian --allow-root --fail-on error,warning "$deb" "$server_deb"
(cd "$folder" && sha256sum --quiet -c SHA256SUMS)
python3 -c 'import json, sys; bill = json.load(open(sys.argv[1])); assert len(bill["components"]) > 20 and all(p["licenses"] for p in bill["components"])' "${tarball%.tar.gz}.cdx.json"

say 'the same bytes again'
dpkg-deb --fsys-tarfile "$deb" | tar -xOf - ./usr/bin/ebb >"$work/ebb"
tar -xOzf "$tarball" --wildcards '*/bin/ebb' >"$work/static"
sh Resources/run/deb.sh "$work/ebb" "$work/again" >/dev/null
sh Resources/run/dist.sh "$work/static" "$work/again" >/dev/null
for file in "$deb" "$server_deb" "$tarball" "${tarball%.tar.gz}.cdx.json"; do cmp "$file" "$work/again/$(basename "$file")" || fail "$file differs"; done

say 'Debian 12: install'
system bookworm
cp "$deb" "$server_deb" "$root/tmp/"
packages update
packages install -y "/tmp/$(basename "$deb")" "/tmp/$(basename "$server_deb")"
expect 'the version' "$(within ebb --version)" "$version"
there /usr/share/man/man5/ebb.5.gz /usr/share/bash-completion/completions/ebb /usr/share/zsh/vendor-completions/_ebb \
  /usr/share/fish/vendor_completions.d/ebb.fish /usr/lib/systemd/system/ebb-server.service /usr/share/doc/ebb/copyright
expect 'who has /var/lib/ebb' "$(within stat -c '%U:%G %a' /var/lib/ebb)" 'ebb:ebb 700'
expect 'whether the service is enabled' "$(readlink "$root/etc/systemd/system/multi-user.target.wants/ebb-server.service")" \
  /lib/systemd/system/ebb-server.service

say 'Debian 12: use'
within ebb add buy milk +shop >/dev/null
unit=$(sed -n 's/^ExecStart=//p' "$root/usr/lib/systemd/system/ebb-server.service")
serve runuser -u ebb -- sh -c ". /etc/default/ebb-server; exec $unit --port 0"
within ebb sync --server "$url" >/dev/null
expect 'the item on a second device' "$(within ebb list --store /tmp/other.sqlite 2>/dev/null | wc -l)" 0
within ebb sync --server "$url" --store /tmp/other.sqlite >/dev/null 2>&1
within ebb list --store /tmp/other.sqlite | grep -q 'buy milk +shop' || fail 'the second device has no item'
stop
within runuser -u ebb -- ebb serve check --database /var/lib/ebb/server.sqlite >/dev/null

say 'Debian 12: upgrade'
echo '# mine' >>"$root/etc/default/ebb-server"
for old in "$deb" "$server_deb"; do
  new=$(basename "$old" | sed "s/$version-1/$version-2/")
  dpkg-deb -R "$old" "$work/repacked"
  sed -i "s/$version-1/$version-2/" "$work/repacked/DEBIAN/control"
  dpkg-deb --root-owner-group -Zgzip --build "$work/repacked" "$root/tmp/$new" >/dev/null
  rm -rf "$work/repacked"
done
packages install -y "/tmp/$(basename "$deb" | sed "s/$version-1/$version-2/")" "/tmp/ebb-server_$version-2_all.deb"
expect 'the version of the package' "$(within dpkg-query -W -f '${Version}' ebb-server)" "$version-2"
expect 'the settings' "$(tail -n 1 "$root/etc/default/ebb-server")" '# mine'
within ebb list | grep -q 'buy milk' || fail 'the list is not there after the upgrade'

say 'Debian 12: remove'
packages remove -y ebb-server
gone /usr/lib/systemd/system/ebb-server.service
there /etc/default/ebb-server /var/lib/ebb/server.sqlite /usr/bin/ebb
packages purge -y ebb-server
gone /etc/default/ebb-server /etc/systemd/system/multi-user.target.wants/ebb-server.service
there /var/lib/ebb/server.sqlite
grep -q 'are kept' "$systems/apt.log" || fail 'nothing says that the lists are kept'
packages purge -y ebb
gone /usr/bin/ebb /usr/share/doc/ebb /usr/share/man/ja/man1/ebb.1.gz
there /root/.local/share/ebb/ebb.sqlite

# The base of a system has no Swift, no curses and no SQLite.
for name in bookworm jammy; do
  say "the tarball in $name"
  system $name
  tar -xzf "$tarball" -C "$root/opt"
  place=/opt/$(basename "$tarball" .tar.gz)
  expect 'the version' "$(within "$place/bin/ebb" --version)" "$version"
  within "$place/install.sh" >/dev/null
  within ebb add buy milk +shop >/dev/null
  serve ebb serve --port 0 --database /tmp/server.sqlite
  within ebb sync --server "$url" >/dev/null
  within sh -c "{ sleep 2; printf q; } | script -qc ebb /tmp/screen" >"$work/script.log" 2>&1 || {
    cat "$work/script.log" >&2
    fail 'the list did not open'
  }
  grep -q 'milk' "$root/tmp/screen" || fail 'the list was not painted'
  stop
done

sh Resources/run/test-units.sh "$deb" "$server_deb"
say 'The packages are well.'
