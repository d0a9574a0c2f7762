#!/bin/sh
# Builds and runs every test. Shows failures and the summary; VERBOSE=1 shows every line. The whole output is kept.
set -u
swift=${SWIFT:-swift}
log=.build/test.log
export LANG="${LANG:-C.UTF-8}"
# The targets that random tests and worlds compute with are optimized: see Package.swift.
export EBB_TEST_OPTIMIZED=1

echo 'The first build takes some minutes; later ones take seconds.'
SWIFT=$swift sh Resources/run/build.sh 'Ebb and its tests' --build-tests || exit 1
echo 'Running the tests.'

# What passed goes to the log alone; what did not, and the summary, are shown as they come.
shown() {
  if [ "${VERBOSE:-}" = 1 ]; then cat; else grep --line-buffered -v -e '^◇' -e '^✔ Test [^r]' -e '^✔ Test r[^u]' -e '^✔ Suite' -e '^\[[0-9]*/[0-9]*\]' -e '^Build'; fi
}
# Tests that only compute run after the others: those wait for screens, sockets and other programs, and must not wait
# for a processor as well.
computing='^SimulationTests|RowTable|RowProperty|TextMergeProperty|SleepTests'
# Each of these has a PostgreSQL of its own that it kills, stops or fills, and limits of time that are meant to pass.
databases='PostgreSQL|DatabaseMoveTests|MoveCommandTests'
# Most tests wait for programs: with a few at a time each is quick, while with all at once (what Swift 6.3 does) each
# takes minutes, and limits of time pass that nothing is wrong with.
at_once=10
run() { "$swift" test --skip-build --experimental-maximum-parallelization-width $at_once --disable-xctest "$@" || echo 1 >.build/test.status; }
echo 0 >.build/test.status
if [ $# -gt 0 ]; then run "$@"; else
  run --skip "$computing" --skip "$databases"
  run --filter "$databases"
  run --filter "$computing"
fi 2>&1 | tee "$log" | shown
status=$(cat .build/test.status)
[ "$status" = 0 ] || echo "The tests failed (everything they said is in $log)." >&2
exit "$status"
