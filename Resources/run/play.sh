#!/bin/sh
# Opens a list with a server of its own behind it, and stops the server on leaving: play.sh EBB [postgres]
# With "postgres" the server's database is in a PostgreSQL of its own, which is stopped too.
# Without a terminal it plays the offline-then-refresh story with the commands instead, and checks every step.
# Everything is kept in ebb-data/ (or EBB_DATA).
set -u
ebb=$1
kind=${2:-sqlite}
data=${EBB_DATA:-ebb-data}
here=$(dirname "$0")
server= list= url= postgres=

fail() { printf 'ebb: %s\n' "$*" >&2; exit 1; }

# Asks a program of ours to end and waits for it.
end() {
  [ -n "$1" ] || return 0
  kill -TERM "$1" 2>/dev/null
  wait "$1" 2>/dev/null
}

leave() {
  trap '' INT TERM HUP
  end "$list"
  end "$server"
  list= server=
  [ -z "$postgres" ] || { exec 4>&-; wait "$postgres"; postgres=; rm -f "$data/postgres.pipe"; }
}

# start_postgres FOLDER: starts a PostgreSQL there, and sets $database. It ends with the end of its input.
start_postgres() {
  rm -f "$data/postgres.pipe"
  mkfifo "$data/postgres.pipe" || fail "cannot make $data/postgres.pipe"
  sh "$here/postgres.sh" "$1" <"$data/postgres.pipe" >"$data/postgres.log" 2>&1 4>&- &
  postgres=$!
  exec 4>"$data/postgres.pipe"
  tries=0
  until grep -q '^ready$' "$data/postgres.log"; do
    kill -0 "$postgres" 2>/dev/null || { postgres=; fail "PostgreSQL did not start: $(tail -n 1 "$data/postgres.log")"; }
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || fail "PostgreSQL did not start within 60 seconds: see $data/postgres.log"
    sleep 0.1
  done
  database="postgresql://postgres@/postgres?host=$(cd "$1" && pwd)"
}

# start_server DATABASE LOG: sets $server and, once it answers, $url.
start_server() {
  "$ebb" serve --port 0 --database "$1" >"$2" 2>&1 &
  server=$!
  tries=0
  while :; do
    url=$(sed -n 's/.*\(http:\/\/127\.0\.0\.1:[0-9][0-9]*\).*/\1/p;1q' "$2")
    [ -z "$url" ] || return 0
    kill -0 "$server" 2>/dev/null || { server=; fail "the server did not start: $(tail -n 1 "$2")"; }
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || fail "the server did not answer within 30 seconds: see $2"
    sleep 0.1
  done
}

# The list runs beside this script, so that a signal to the script reaches the list and the server.
open_list() {
  [ "$kind" = sqlite ] || start_postgres "$data/postgres"
  start_server "${database:-$data/server.sqlite}" "$data/server.log"
  exec 3<&0
  "$ebb" --store "$data/list.sqlite" --server "$url" <&3 &
  list=$!
  wait "$list"
  status=$?
  list=
  return "$status"
}

[ -x "$ebb" ] || fail "$ebb is not there: run 'make build' first."
mkdir -p "$data" || fail "cannot make the folder $data: set EBB_DATA to a folder that can be written."
trap leave EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

case $kind in
  sqlite | postgres) database= ;;
  *) fail "there is no database of the kind '$kind': say postgres, or nothing." ;;
esac

if [ -t 0 ] && [ -t 1 ]; then
  open_list
  exit
fi
. "$here/story.sh"
