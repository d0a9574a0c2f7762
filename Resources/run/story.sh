# The offline-then-refresh story in plain text, for play.sh where there is no terminal to open a list in.
# Two devices are two stores. Every step says what it shows, runs, and is checked; the first that fails ends it.

folder=$(mktemp -d "$data/story-XXXXXX") || fail "cannot write in $data: set EBB_DATA to a folder that can be written."
trap 'leave; rm -rf "$folder"' EXIT
unset EBB_TOKEN EBB_CONFIG
export EBB_STORE="$folder/laptop.sqlite" EBB_SERVER=http://ebb.invalid XDG_CONFIG_HOME="$folder"

tell() { printf '\n%s\n' "$*"; }

# run STATUS COMMAND…: runs ebb, shows it and its answer (kept in $answer), and holds it to the status.
run() {
  expected=$1
  shift
  printf '  $ ebb %s\n' "$*"
  answer=$("$ebb" "$@" 2>&1 </dev/null)
  status=$?
  [ -z "$answer" ] || printf '%s\n' "$answer" | sed 's/^/  /'
  [ "$status" = "$expected" ] || fail "this step failed: 'ebb $*' ended with $status and not with $expected."
}

# expect_line PATTERN, expect_no_line PATTERN: hold the last answer to a pattern of grep.
expect_line() {
  printf '%s\n' "$answer" | grep -q -e "$1" || fail "this step failed: the answer should have had a line with '$1'."
}
expect_no_line() {
  printf '%s\n' "$answer" | grep -q -e "$1" && fail "this step failed: the answer should have had no line with '$1'."
  return 0
}

use() { EBB_STORE="$folder/$1.sqlite"; }

echo 'No terminal here, so this is the story of Ebb told with its commands. (In a terminal, make run opens the list.)'

tell '1. A laptop without a network: the server it knows cannot be reached. Items are kept all the same.'
run 0 add Buy oat milk
milk=${answer%%[!0-9a-f-]*}
run 0 add '買牛奶 +shop'
run 0 add Call the plumber
plumber=${answer%%[!0-9a-f-]*}
run 0 edit "$milk" Buy oat milk and bread
run 0 done "$plumber"
run 0 list --all
expect_line 'Buy oat milk and bread'
expect_line '買牛奶'

tell '2. A refresh fails, and says so; nothing is lost, and the changes wait.'
run 69 sync
run 0 status --json
expect_line '"pending" *: *3'

tell '3. A server appears. It has none of this yet, as a phone that asks it can see.'
# As root the database has another user, who must come to its folder.
[ "$kind" = sqlite ] || { chmod 711 "$folder" && start_postgres "$folder/postgres"; }
start_server "${database:-$folder/server.sqlite}" "$folder/server.log"
EBB_SERVER=$url
use phone
run 0 sync
run 0 list --all
expect_no_line 'milk'

tell '4. The laptop refreshes: its changes go up, and nothing waits any more.'
use laptop
run 0 sync
run 0 status --json
expect_line '"pending" *: *0'

tell '5. The phone refreshes: it has everything, completes one item, and refreshes again.'
use phone
run 0 sync
run 0 list
expect_line 'Buy oat milk and bread'
run 0 done "$milk"
run 0 sync

tell '6. The laptop refreshes and sees it: the milk is bought.'
use laptop
run 0 sync
run 0 list
expect_no_line 'Buy oat milk'
expect_line '買牛奶'
run 0 list --done
expect_line 'Buy oat milk and bread'

tell 'That is all there is to it. Both devices and the server now hold the same.'
