#!/bin/sh
# Runs a PostgreSQL of its own, without a service of the system: postgres.sh FOLDER [SETTING=VALUE…]
#
# The database is in FOLDER/data and is made when it is not there; its socket is in FOLDER, and it has no port. Says "ready" when
# it can be used, as postgresql://postgres@/postgres?host=FOLDER. Ends with the end of standard input, where it takes commands:
# "create NAME" makes a database, "kill" ends it as a power cut would, "stop" as it should, "start" starts it again, "pause" lets
# it stand still until "resume", "promote" lets a standby take over; each is answered with a word. With EBB_POSTGRES_ONCE the
# folder is removed at the end; with EBB_POSTGRES_STANDBY_OF it becomes a standby of the one in that folder;
# EBB_POSTGRES_PRELOAD is a library to load first.
set -u
folder=$1
shift

say() { printf 'ebb: %s\n' "$*" >&2; }

# Debian keeps them out of the PATH, one folder a version.
programs=${EBB_POSTGRES:-$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t/ -k5 -n | tail -n 1)}
if [ -z "$programs" ]; then programs=$(dirname "$(command -v initdb 2>/dev/null)" 2>/dev/null) || programs=; fi
if [ ! -x "$programs/initdb" ]; then
  say "PostgreSQL is not installed: install postgresql with your system's package manager and run this again."
  exit 3
fi

# initdb refuses root, so that as root the system's user postgres has the database.
mkdir -p "$folder" || exit 1
as_owner() { "$@"; }
if [ "$(id -u)" = 0 ]; then
  chown postgres: "$folder" || exit 1
  chmod 711 "$folder"
  as_owner() { (cd / && exec setpriv --reuid postgres --regid postgres --init-groups env HOME=/ "$@"); }
fi
folder=$(cd "$folder" && pwd)

make() {
  if [ -n "${EBB_POSTGRES_STANDBY_OF:-}" ]; then
    as_owner "$programs/pg_basebackup" --pgdata="$folder/data" --host="$EBB_POSTGRES_STANDBY_OF" --username=postgres \
      --write-recovery-conf --checkpoint=fast --no-sync
  else
    as_owner "$programs/initdb" --pgdata="$folder/data" --username=postgres --auth=trust --encoding=UTF8 \
      --locale=C.UTF-8 --no-sync
  fi
}

if [ ! -s "$folder/data/PG_VERSION" ]; then
  if ! make >"$folder/../initdb.$$" 2>&1; then
    tail -n 5 "$folder/../initdb.$$" >&2
    rm -f "$folder/../initdb.$$"
    exit 1
  fi
  rm -f "$folder/../initdb.$$"
fi

options="-c listen_addresses= -c unix_socket_directories='$folder' -c max_connections=200"
for setting in "$@"; do options="$options -c $setting"; done

number() { head -n 1 "$folder/data/postmaster.pid" 2>/dev/null; }

# A killed one leaves processes behind that notice it in a moment.
start() {
  for attempt in 1 2 3 4 5 6 7 8 9 10; do
    as_owner env ${EBB_POSTGRES_PRELOAD:+LD_PRELOAD="$EBB_POSTGRES_PRELOAD"} "$programs/pg_ctl" \
      --pgdata="$folder/data" --log="$folder/data/server.log" --options="$options" \
      --wait --silent start </dev/null >/dev/null 2>&1 && return 0
    sleep 0.2
  done
  tail -n 5 "$folder/data/server.log" >&2
  return 1
}

stop() {
  as_owner "$programs/pg_ctl" --pgdata="$folder/data" --mode=fast --wait --silent stop </dev/null >/dev/null 2>&1
}

# The server and all its sessions. First itself: it begins no other session then. One may have ended meanwhile.
signal() {
  server=$(number)
  {
    kill -"$1" "$server"
    for process in $(cat "/proc/$server/task/$server/children"); do kill -"$1" "$process"; done
  } 2>/dev/null
}

finish() {
  signal CONT
  stop
  [ -z "${EBB_POSTGRES_ONCE:-}" ] || rm -rf "$folder"
}

trap finish EXIT
trap 'exit 0' INT TERM HUP
start || exit 1
echo ready
while read -r command; do
  case $command in
    kill)
      kill -9 "$(number)"
      echo killed
      ;;
    stop)
      stop
      echo stopped
      ;;
    pause)
      signal STOP
      echo paused
      ;;
    resume)
      signal CONT
      echo resumed
      ;;
    promote)
      as_owner "$programs/pg_ctl" --pgdata="$folder/data" --wait --silent promote </dev/null && echo promoted
      ;;
    create\ *)
      as_owner "$programs/createdb" --host="$folder" --username=postgres "${command#create }" </dev/null && echo created
      ;;
    start)
      start && echo ready
      ;;
  esac
done
