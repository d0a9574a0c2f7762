#!/bin/sh
# Checks the format of the Swift sources and the shape of the repository; says every place that is wrong.
set -u
swift=${SWIFT:-swift}
wrong=0
complain() { printf '%s\n' "$*" >&2; wrong=1; }

"$swift" format lint --strict --parallel --recursive Package.swift Sources Tests || wrong=1

if git rev-parse --git-dir >/dev/null 2>&1; then names=$(git ls-files -co --exclude-standard | cut -d/ -f1 | sort -u)
else names=$(ls); fi
for name in $names; do
  case $name in
    Package.swift | Sources | Tests | Resources | Makefile | README.md | LICENSE | .*) ;;
    *) complain "$name: nothing but Package.swift, Sources, Tests, Resources, Makefile, README.md and LICENSE belongs here." ;;
  esac
done

for script in Resources/run/*.sh; do sh -n "$script" || wrong=1; done
bash -n .ci/run || wrong=1

left=$(grep -rnE '\b(TODO|FIXME|XXX)\b' Sources Tests --include='*.swift' --include='*.c' || true)
[ -z "$left" ] || complain "Left for later, which belongs in an issue and not in the code:
$left"

[ "$wrong" = 0 ] && echo 'Nothing to complain of.'
exit "$wrong"
