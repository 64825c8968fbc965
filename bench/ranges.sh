#!/bin/sh
# Prints what `acta verify` costs beside `git log -p` of the same commits, in one run:
#   bench/ranges.sh [-commits N] [-synthetic N] REPOSITORY…
# -commits N judges at least so many of the newest commits (default 300), 0 the whole history. -synthetic N makes a
# repository of N commits with five objects each, an ACT among every thousand, and judges it as well; with -commits 0 the
# cost is told beside parsing what the ACTs cite. It fails where one core, all cores
# and a second run print different reports.
set -eu
cd "$(dirname "$0")/.."
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
go build -o "$made/acta" ./cmd/acta
go build -C bench -o "$made/ranges" ./ranges
"$made/ranges" -acta "$made/acta" "$@"
