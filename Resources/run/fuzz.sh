#!/bin/sh
# Hostile requests to a server, and hostile bytes to the parsers: fuzz.sh [REQUESTS] [RUNS]. SEED repeats a run.
set -u
swift=${SWIFT:-swift}
requests=${1:-500000}
runs=${2:-1000000}
seed=${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
folder=.build/fuzz
status=0
mkdir -p "$folder"
echo "seed $seed (SEED=$seed make fuzz repeats it)"

# The room, as an object with libFuzzer's counters.
compile() {
  "${swift}c" -O -wmo -parse-as-library -sanitize=fuzzer -swift-version 6 -package-name ebb -module-name "$@" \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
    -enable-upcoming-feature InternalImportsByDefault -I "$folder"
}

# The rooms that read what comes from outside, each after those that it stands on.
compile_parsers() {
  objects=
  for room in TableProtocol OfflineSync TodoCore Exchange; do
    compile "$room" -emit-module -emit-module-path "$folder/$room.swiftmodule" \
      -c $(find "Sources/$room" -name '*.swift') -o "$folder/$room.o" || return 1
    objects="$objects $folder/$room.o"
  done
  compile ParserFuzz Tests/Fuzz/ParserFuzz.swift $objects -o "$folder/parsers"
}

# libFuzzer comes with Swift's toolchain on Linux; one without it sends requests alone.
if compile_parsers 2>"$folder/build.log"; then
  for parser in filter json batch todotxt list markdown ics csv taskwarrior; do
    mkdir -p "$folder/$parser"
    echo "$parser: $runs runs"
    # Bytes that were worth keeping stay in the first folder; the second has files of other programs to begin with.
    EBB_FUZZ=$parser "$folder/parsers" -seed="$seed" -runs="$runs" -max_len=4096 -timeout=10 -print_final_stats=0 \
      -artifact_prefix="$folder/$parser-" "$folder/$parser" Tests/ExchangeTests/Files >"$folder/$parser.log" 2>&1 || {
      status=1
      tail -n 30 "$folder/$parser.log" >&2
    }
  done
else
  echo "The parsers are skipped: this toolchain can't build with -sanitize=fuzzer ($folder/build.log says why)."
fi

echo "hostile requests: $requests"
EBB_REQUESTS=$requests EBB_SEED=$seed "$swift" test --disable-xctest --filter HostileRequestTests || status=1
exit "$status"
