#!/bin/sh
# Lists the functions of the program that run when the list is opened and left, and for an `add` and a `list`:
# order.sh EBB >Resources/link/start.order
# For a new toolchain, and now and then: names that are not there any more do no harm, and new ones are only not in their
# place.
# Needs valgrind, tmux, nm and strip. EBB is a release as `make build` leaves it, with its names.
set -u
ebb=$1
folder=$(mktemp -d) || exit 1
session=ebb-order-$$
trap 'tmux kill-session -t "$session" 2>/dev/null; rm -rf "$folder"' EXIT

strip -g -o "$folder/ebb" "$ebb" || exit 1
export XDG_CONFIG_HOME="$folder" LC_ALL=C.UTF-8
for number in 1 2; do "$folder/ebb" add "Item $number" --store "$folder/list.sqlite" >/dev/null || exit 1; done
# Positions in full, as the names of some functions are not known to valgrind.
grind="valgrind --tool=callgrind --dump-instr=yes --compress-pos=no --compress-strings=no"
$grind --callgrind-out-file="$folder/calls.add" "$folder/ebb" add 'Item 3' --store "$folder/list.sqlite" >/dev/null 2>&1 &&
  $grind --callgrind-out-file="$folder/calls.list" "$folder/ebb" list --store "$folder/list.sqlite" >/dev/null 2>&1 ||
  { echo "order.sh: valgrind could not run the program" >&2; exit 1; }
tmux new-session -d -s "$session" -x 80 -y 24 \
  "$grind --callgrind-out-file='$folder/calls.open' '$folder/ebb' --store '$folder/list.sqlite'"
shown() { tmux capture-pane -p -t "$session" 2>/dev/null | grep -q "$1"; }
wait_for() {
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || { echo "order.sh: the list did not $*" >&2; exit 1; }
    sleep 0.2
  done
}
gone() { ! tmux has-session -t "$session" 2>/dev/null; }
wait_for shown 'Item 3'
# The counts, the title of the window and what else is not waited for.
sleep 3
tmux send-keys -t "$session" j k q q
wait_for gone

# What ran, by place, among the places where functions begin.
{
  cat "$folder"/calls.* | awk '/^ob=/ { own = /\/ebb$/ } own && /^0x/ { print $1 }' | sort -u |
    awk '{ printf "%16s 1\n", substr($1, 3) }' | sed ':again; s/^\( *\) /\10/; t again'
  nm --defined-only "$ebb" | awk '$2 ~ /[tTwW]/ { print $1, 0, $3 }'
} | LC_ALL=C sort | awk '
  $2 == 0 { if ($1 != at) { names = ""; at = $1 }; names = names $3 "\n" }
  $2 == 1 { printf "%s", names; names = "" }' | LC_ALL=C sort -u
