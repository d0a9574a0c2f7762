#!/bin/sh
# The bill of materials and the licences of the parts: bill.sh BILL NOTICES [LIBRARY…], as bill.py has them.
set -eu
cd "$(dirname "$0")/../.."
bill=$1 notices=$2
shift 2
mkdir -p .build
# It only reads, so a build that runs is no obstacle.
"${SWIFT:-swift}" package --ignore-lock show-dependencies --format json >.build/dependencies.json 2>.build/dependencies.log || {
  cat .build/dependencies.log >&2
  exit 1
}
# Messages may stand before the document.
sed -n '/^{/,$p' .build/dependencies.json >.build/dependencies.only
python3 Resources/run/bill.py .build/dependencies.only .build/checkouts "$(cat Resources/version)" "$bill" "$notices" \
  "Swift runtime=$("${SWIFT:-swift}" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')=Apache-2.0 WITH Swift-exception" \
  "$@"
