#!/bin/sh
# Builds with Swift and says how far it is, instead of what the package manager says: build.sh NAME ARGUMENT…, where the
# arguments are those of `swift build` and NAME is what is built; PRODUCT is built alone, if it is set. One line that changes
# on a terminal, else a line for each step; nothing if there is nothing to build. The whole output is kept in .build/build.log;
# the errors of it are shown.
#
# The targets of EARLY are built first: many others wait for them. The package manager goes through the names backwards, and
# these come late. Without this, one processor would have nothing to do for the last third of a first build.
set -u
swift=${SWIFT:-swift}
name=$1
shift
mkdir -p .build
log=.build/build.log state=.build/build.state
began=$(date +%s)
rm -f "$log.failed"
terminal=
[ -t 1 ] && [ "${TERM:-dumb}" != dumb ] && terminal=yes

elapsed() {
  seconds=$(($(date +%s) - began))
  printf '%d:%02d' $((seconds / 60)) $((seconds % 60))
}

# On a terminal the line is drawn again each second, for a step may take a minute.
watch() {
  while [ -e "$state" ]; do
    read -r step <"$state" 2>/dev/null && [ -n "$step" ] && printf '\r\033[K%s · %s' "$step" "$(elapsed)"
    sleep 1
  done
}

# A step, and how far it is in percent. In a log a line is as good for each tenth. What is known to be left grows now and
# then while a build goes on: a percentage that would go back is not shown.
shown= most=0
say() {
  if [ "$shown" != "${1%% (*}" ]; then most=-10
  elif [ -z "$terminal" ] && [ $(($2 / 10)) -le $((most / 10)) ]; then return
  elif [ "$2" -lt "$most" ]; then return
  fi
  if [ -n "$terminal" ]; then printf '%s\n' "$1" >"$state.new" && mv "$state.new" "$state"
  else printf '%s · %s\n' "$1" "$(elapsed)"
  fi
  shown=${1%% (*} most=$2
}

# Reads what `swift build` says, line by line.
follow() {
  parts=0 doing=compiling
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    case $line in
      'Doing: '*) doing=${line#Doing: } ;;
      'Fetching '* | 'Fetched '* | 'Updating '* | 'Cloning '* | 'Creating working copy'*)
        case $line in Creating*) parts=$((parts + 1)) ;; esac
        say "Building $name: getting its parts ($parts)" 0 ;;
      '['*/*'] Compiling '* | '['*/*'] Emitting '* | '['*/*'] Wrapping '* | '['*/*'] Linking '*)
        steps=${line#[}
        steps=${steps%%]*}
        done=${steps%/*} all=${steps#*/}
        case $done$all in *[!0-9]*) continue ;; esac
        percent=$((all > 0 ? done * 100 / all : 0))
        case $line in
          *'] Linking '*) say "Building $name: linking" 100 ;;
          *) say "Building $name: $doing ($percent %)" "$percent" ;;
        esac ;;
    esac
  done
}

: >"$log"
: >"$state"
watcher=
if [ -n "$terminal" ]; then
  watch &
  watcher=$!
fi
trap 'rm -f "$state" "$state.new"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# A target that can't be built fails again with the whole, which says why.
build() {
  number=0
  for target in ${EARLY:-}; do
    number=$((number + 1))
    echo "Doing: compiling part $number"
    "$swift" build "$@" --target "$target" 2>&1
  done
  echo 'Doing: compiling'
  "$swift" build "$@" ${PRODUCT:+--product "$PRODUCT"} 2>&1
}
{ build "$@" || echo $? >"$log.failed"; } | follow
rm -f "$state"
[ -z "$watcher" ] || { wait "$watcher"; printf '\r\033[K'; }

if [ -e "$log.failed" ]; then
  rm -f "$log.failed"
  if grep -q 'error:' "$log"; then grep -A 4 'error:' "$log" | awk '!seen[$0]++' | head -n 60; else tail -n 20 "$log"; fi >&2
  printf 'ebb: %s was not built, after %s. %s has all that was said.\n' "$name" "$(elapsed)" "$log" >&2
  exit 1
fi
! grep -q '^\[[0-9]*/[0-9]*\] \(Compiling\|Linking\) ' "$log" || printf 'Built %s in %s.\n' "$name" "$(elapsed)"
