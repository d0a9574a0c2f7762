#!/bin/sh
# Runs Ebb's units: test-units.sh EBB_DEB SERVER_DEB. Starts systemd in a Debian 12 of its own (Linux namespaces, no network),
# installs the packages there, and does with the server, its socket and the user's timer what their users do: reload, restart, kill,
# upgrade, remove. Where systemd can't be started it says so and ends well. Needs root.
set -eu
cd "$(dirname "$0")/../.."

# boot ROOT: becomes systemd; runs in new namespaces. It says its number outside of them in systemd.pid beside ROOT.
boot() {
  read -r outside _ </proc/self/stat
  mount --make-rprivate /
  mount --bind "$1" "$1"
  mount -t proc proc "$1/proc"
  # The settings of the kernel are the machine's.
  mount --bind "$1/proc/sys" "$1/proc/sys"
  mount -o remount,bind,ro "$1/proc/sys"
  mount -t sysfs -o ro sysfs "$1/sys"
  mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup"
  mount -t tmpfs -o mode=755 tmpfs "$1/dev"
  mkdir "$1/dev/pts" "$1/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
  ln -s pts/ptmx "$1/dev/ptmx"
  ln -s /proc/self/fd "$1/dev/fd"
  for device in 'null 1 3' 'zero 1 5' 'full 1 7' 'random 1 8' 'urandom 1 9' 'tty 5 0'; do
    mknod -m 666 "$1/dev/${device%% *}" c ${device#* }
  done
  mount -t tmpfs -o mode=755 tmpfs "$1/run"
  echo "$outside" >"$1/../systemd.pid"
  cd "$1"
  mkdir -p .outside
  pivot_root . .outside
  umount -l /.outside
  exec env -i container=ebb PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 /lib/systemd/systemd --log-target=journal --show-status=0
}
if [ "$1" = --boot ]; then boot "$2"; fi

deb=$1 server_deb=$2
work=.build/systems/units
group= unshared= systemd=

stop() {
  [ -z "$unshared" ] || { kill -KILL "$unshared" 2>/dev/null || true; wait "$unshared" 2>/dev/null || true; }
  unshared=
  tries=0
  while [ -n "$group" ] && [ -e "$group" ] && [ $tries -lt 50 ]; do
    find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || sleep 0.1
    tries=$((tries + 1))
  done
  group=
}
. Resources/run/systems.sh
need debootstrap curl openssl

inside() { bare nsenter -t "$systemd" -a "$@"; }
# Waits until the command prints the value: become WHAT VALUE COMMAND…
become() {
  what=$1 value=$2 tries=0
  shift 2
  until [ "$("$@" 2>/dev/null)" = "$value" ]; do
    tries=$((tries + 1))
    [ $tries -lt 150 ] || { inside journalctl -n 20 -o cat --no-pager >&2; expect "$what" "$("$@" 2>&1)" "$value"; }
    sleep 0.2
  done
}
unit() { inside systemctl show "$1" -p "$2" --value; }
starts() { echo "$(unit ebb-server ActiveState) $(unit ebb-server NRestarts)"; }
# Everything that a unit has said, also what systemd says of it.
journal() { inside journalctl -u "$1" -o cat --no-pager; }
said() { journal "$1" | grep -qF -e "$2" || { journal "$1" >&2; fail "the journal of $1 has no '$2'"; }; }
# change UNIT LINE…: lines of [Service] that hold until the next `change UNIT`.
change() {
  changed=/run/systemd/system/$1.d
  shift
  inside sh -c 'mkdir -p "$0"; { echo "[Service]"; printf "%s\n" "$@"; } >"$0/test.conf"; systemctl daemon-reload' "$changed" "$@"
}
options() { echo "EBB_SERVE_OPTIONS=\"$1\"" >"$root/etc/default/ebb-server"; }
# The answer to a request, a name of which is that of the certificate.
ask() { nsenter -t "$systemd" -n curl -sk -m 20 -o /dev/null -w '%{http_code}\n' "$@"; }
socket() { ask --unix-socket "/proc/$systemd/root/run/ebb/ebb.sock" http://todo.example.org/health/ready; }

say 'units: start systemd'
system bookworm
packages update
packages install -y --no-install-recommends systemd systemd-sysv dbus dbus-user-session libpam-systemd
cp "$deb" "$server_deb" "$root/opt/"
set -- "/opt/$(basename "$deb")" "/opt/$(basename "$server_deb")"
packages install -y --download-only "$@"
mounted=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=$mounted$(sed -n 's/^0:://p' /proc/self/cgroup)/ebb-units-$$
: >"$work/systemd.log"
if [ -n "$mounted" ] && mkdir "$group" 2>"$work/systemd.log"; then
  sh -c 'echo $$ >"$1/cgroup.procs"; exec unshare --cgroup --pid --fork --kill-child --mount --uts --ipc --net sh "$0" --boot "$2"' \
    Resources/run/test-units.sh "$group" "$root" >"$work/systemd.log" 2>&1 </dev/null &
  unshared=$!
else
  group=
fi
state='no control groups' tries=0
while [ -n "$unshared" ] && kill -0 "$unshared" 2>/dev/null && [ $tries -lt 150 ]; do
  [ -n "$systemd" ] || systemd=$(cat "$work/systemd.pid" 2>/dev/null || true)
  state=$(inside systemctl is-system-running 2>&1 || true)
  case $state in running | degraded) break ;; esac
  tries=$((tries + 1))
  sleep 0.2
done
case $state in
  running | degraded) ;;
  *)
    say "The units were not run: systemd does not start on this machine ($(tail -n 1 "$work/systemd.log" | grep . || echo "$state"))."
    exit 0
    ;;
esac

say 'units: install'
inside apt-get -qq install -y "$@" >"$systems/apt.log" 2>&1 || { cat "$systems/apt.log" >&2; fail 'the packages were not installed'; }
expect 'the server' "$(unit ebb-server ActiveState) $(unit ebb-server UnitFileState)" 'active enabled'
main=$(unit ebb-server MainPID)
expect 'whose it is' "$(inside stat -c '%U:%G' "/proc/$main")" ebb:ebb
expect 'the answer' "$(ask http://127.0.0.1:8080/health/ready)" 200
said ebb-server 'Serving http://127.0.0.1:8080'
inside ebb add buy milk >/dev/null
inside ebb sync --server http://127.0.0.1:8080 >/dev/null

say 'units: reload, restart, stop, kill, hang'
inside systemctl reload ebb-server
expect 'who runs after a reload' "$(unit ebb-server MainPID)" "$main"
inside systemctl restart ebb-server
[ "$(unit ebb-server MainPID)" != "$main" ] || fail 'a restart has not started the server again'
expect 'the answer' "$(ask http://127.0.0.1:8080/health/ready)" 200
inside systemctl stop ebb-server
expect 'a stop' "$(unit ebb-server ActiveState) $(unit ebb-server Result)" 'inactive success'
inside systemctl start ebb-server
inside systemctl kill -s KILL ebb-server
become 'starts after a kill' 'active 1' starts
change ebb-server.service WatchdogSec=2
inside systemctl restart ebb-server
inside systemctl kill -s STOP ebb-server
become 'starts after it hung' 'active 1' starts
said ebb-server 'Watchdog timeout'

say 'units: what does not start'
change ebb-server.service RestartSec=1
cp "$root/etc/default/ebb-server" "$work/default"
for wrong in '--prot 80|has no option --prot' '--trust-proxy 127.0.0.1|Invite somebody first' '--database /srv/x.sqlite|not allowed to use /srv/x.sqlite' \
  '--port 443|not allowed to listen on port 443'; do
  options "${wrong%%|*}"
  inside systemctl restart ebb-server 2>/dev/null && fail "the server starts with ${wrong%%|*}"
  expect "the server with ${wrong%%|*}" "$(starts)" 'failed 0'
  said ebb-server "${wrong#*|}"
done
options '--host 192.0.2.1'
inside systemctl restart ebb-server 2>/dev/null && fail 'the server starts at an address of another machine'
become 'starts in vain' 6 unit ebb-server NRestarts
inside install -d -o ebb -g ebb /srv/ebb
options '--database /srv/ebb/server.sqlite'
change ebb-server.service ReadWritePaths=/srv/ebb
inside systemctl restart ebb-server
there /srv/ebb/server.sqlite
options '--port 443'
change ebb-server.service AmbientCapabilities=CAP_NET_BIND_SERVICE CapabilityBoundingSet=CAP_NET_BIND_SERVICE
inside systemctl restart ebb-server
cp "$work/default" "$root/etc/default/ebb-server"
change ebb-server.service
inside systemctl restart ebb-server

say 'units: upgrade, remove'
main=$(unit ebb-server MainPID)
inside dpkg -i "$2" >/dev/null
[ "$(unit ebb-server MainPID)" != "$main" ] || fail 'an upgrade has not restarted the server'
expect 'the server after an upgrade' "$(unit ebb-server ActiveState)" active
inside ebb sync --server http://127.0.0.1:8080 --store /tmp/other.sqlite >/dev/null
inside ebb list --store /tmp/other.sqlite | grep -q 'buy milk' || fail 'the database was not kept'
main=$(unit ebb-server MainPID)
inside apt-get -qq purge -y ebb-server >"$systems/apt.log" 2>&1
grep -q 'are kept' "$systems/apt.log" || fail 'nothing says that the lists are kept'
gone "/proc/$main" /lib/systemd/system/ebb-server.service
expect 'the unit' "$(unit ebb-server LoadState)" not-found
there /var/lib/ebb/server.sqlite

say 'units: the socket'
for file in ebb.socket ebb.service; do sed 's|/usr/local/bin|/usr/bin|' Resources/serve/$file >"$root/etc/systemd/system/$file"; done
inside runuser -u ebb -- ebb serve invite --user anna --url https://todo.example.org --database /var/lib/ebb/server.sqlite >/dev/null 2>&1
inside systemctl daemon-reload
inside systemctl start ebb.socket
expect 'the server before a connection' "$(unit ebb.service ActiveState)" inactive
expect 'the answer to the first' "$(socket)" 200
expect 'who may use the socket' "$(inside stat -c '%U:%G %a' /run/ebb/ebb.sock)" 'ebb:www-data 660'
: >"$work/asking"
while [ -e "$work/asking" ]; do socket || true; done >"$work/answers" &
asking=$!
for turn in 1 2 3 4 5 6; do inside systemctl restart ebb.service; done
rm "$work/asking"
wait $asking
expect 'what was answered meanwhile' "$(sort -u "$work/answers")" 200
inside systemctl kill -s KILL ebb.service
expect 'the answer after a kill' "$(socket)" 200
inside systemctl reload ebb.service

say 'units: the socket of a network'
mkdir "$root/etc/ebb"
certificate() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$1" -keyout "$root/etc/ebb/key.pem" \
    -out "$root/etc/ebb/certificate.pem" 2>/dev/null
  inside chown ebb /etc/ebb/key.pem
}
shown() { nsenter -t "$systemd" -n curl -skv -o /dev/null https://127.0.0.1/health/live 2>&1 | sed -n 's/.*subject: CN *= *//p'; }
certificate first
inside systemctl stop ebb.socket ebb.service
sed -i 's|^ListenStream=.*|ListenStream=443|' "$root/etc/systemd/system/ebb.socket"
sed -i -e '/^Private\(Network\|Users\)=/d' -e 's/^RestrictAddressFamilies=.*/RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6/' \
  -e 's|--trust-proxy 127.0.0.1|--certificate /etc/ebb/certificate.pem --key /etc/ebb/key.pem|' "$root/etc/systemd/system/ebb.service"
inside systemctl daemon-reload
inside systemctl start ebb.socket
for address in 127.0.0.1 '[::1]'; do expect "the answer at $address" "$(ask "https://$address/health/ready")" 200; done
expect 'the certificate' "$(shown)" first
certificate second
inside systemctl reload ebb.service
become 'the certificate after a reload' second shown
inside systemctl stop ebb.socket ebb.service

say 'units: the reminder'
inside useradd -m anna
inside loginctl enable-linger anna
user=$(inside id -u anna)
become 'the manager of a user' active unit "user@$user" ActiveState
anna() { inside runuser -u anna -- env XDG_RUNTIME_DIR="/run/user/$user" "$@"; }
# A desktop that is there at the second reminder.
printf '#!/bin/sh\n[ -e ~/desktop ] || { : >~/desktop; exit 1; }\necho "$@" >>~/notified\n' >"$root/usr/local/bin/notify-send"
chmod 755 "$root/usr/local/bin/notify-send"
anna ebb add pay the rent due:today >/dev/null
for kind in service timer; do anna mkdir -p "/home/anna/.config/systemd/user/ebb-remind.$kind.d"; done
printf '[Service]\nEnvironment=EBB_SERVER=http://127.0.0.1:9\nRestartSec=1\n' >"$root/home/anna/.config/systemd/user/ebb-remind.service.d/test.conf"
printf '[Timer]\nOnCalendar=\nOnCalendar=*:*:0/10\nAccuracySec=1\n' >"$root/home/anna/.config/systemd/user/ebb-remind.timer.d/test.conf"
anna systemctl --user daemon-reload
anna systemctl --user enable --now ebb-remind.timer 2>/dev/null
become 'what was shown on the desktop' 2 anna sh -c 'grep -c "pay the rent" ~/notified'
expect 'the reminder without its server' "$(anna systemctl --user show ebb-remind.service -p Result --value)" success
expect 'the timer' "$(anna systemctl --user show ebb-remind.timer -p ActiveState --value)" active
say 'The units are well.'
