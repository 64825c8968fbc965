#!/bin/sh
# Prints what `acta verify` costs beside `git log -p` of the same commits, in one run:
#   bench/ranges.sh [-commits N] [-synthetic N [-act-every N]] REPOSITORY…
# -commits N judges at least so many of the newest commits (default 300), 0 the whole history. -synthetic N makes a
# repository of N commits with five objects each and judges it as well; -act-every N: one ACT among every N of them
# (default 1000), whose cost with -commits 0 is told beside parsing what they cite. It fails where one core, all cores
# and a second run print different reports.
set -eu
cd "$(dirname "$0")/.."
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
go build -o "$made/acta" ./cmd/acta
go run ./bench/ranges -acta "$made/acta" "$@"
