#!/bin/sh
# Lists the functions of the program that run when the list is opened and left: order.sh EBB >Resources/link/start.order
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
for number in 1 2 3; do "$folder/ebb" add "Item $number" --store "$folder/list.sqlite" >/dev/null || exit 1; done
tmux new-session -d -s "$session" -x 80 -y 24 \
  "valgrind --tool=callgrind --callgrind-out-file='$folder/calls' --demangle=no '$folder/ebb' --store '$folder/list.sqlite'"
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
tmux send-keys -t "$session" j k q q
wait_for gone

sed -nE "s/^c?fn=\([0-9]+\) //p" "$folder/calls" | sed -E "s/'[0-9]+$//" | LC_ALL=C sort -u >"$folder/run"
nm --defined-only "$ebb" | awk '$2 ~ /[tTwW]/ { print $3 }' | LC_ALL=C sort -u >"$folder/own"
LC_ALL=C comm -12 "$folder/run" "$folder/own"
