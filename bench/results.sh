#!/bin/sh
# Prints what 50 MB of reports take of the processors, a format a line, beside encoding/xml over the same JUnit:
#   bench/results.sh [TURNS]     (default 5)
set -eu
cd "$(dirname "$0")/.."
turns=${1:-5}
echo "\$ go test -C bench -run '^\$' -bench '^BenchmarkResults\$' -benchtime ${turns}x ."
go test -C bench -run '^$' -bench '^BenchmarkResults$' -benchtime "${turns}x" . | awk '
	/^BenchmarkResults/ {
		sub("^BenchmarkResults/", "", $1); sub("-[0-9]+$", "", $1)
		for (i = 3; i < NF; i += 2) if ($(i + 1) == "s/50MB") printf "%-14s %6.2f s\n", $1, $i
		found = 1
	}
	/^FAIL/ { failed = 1; print }
	END { if (!found || failed) exit 1 }'
