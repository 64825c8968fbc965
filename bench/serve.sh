#!/bin/sh
# Lets 200 readers and a writer that never pauses loose on the real acta-serve, on loopback:
#   bench/serve.sh [SECONDS]     (default 30)
# It fails on any answer but 200, and when one vote is lost.
set -eu
cd "$(dirname "$0")/.."
SERVE_SECONDS=${1:-30}
export SERVE_SECONDS
echo "\$ SERVE_SECONDS=$SERVE_SECONDS go test -C bench -run '^\$' -bench '^BenchmarkServe\$' -benchtime 1x -timeout 10m ."
figures=$(mktemp)
trap 'rm -f "$figures"' EXIT
go test -C bench -run '^$' -bench '^BenchmarkServe$' -benchtime 1x -timeout 10m . >"$figures" || { cat "$figures"; exit 1; }
awk '
	{ print }
	/^BenchmarkServe/ {
		for (i = 3; i < NF; i += 2) v[$(i + 1)] = $i
	}
	END {
		if (!("reads" in v)) { print "no figures"; exit 1 }
		printf "\n200 readers and a writer for %s s: %d errors\n", "'"$SERVE_SECONDS"'", v["errors"]
		printf "  %-10s %8d   %8.0f a second   median %8.1f ms   99%% within %8.1f ms\n", "reads", v["reads"], v["reads/s"], v["read-ms"], v["read-99-ms"]
		printf "  %-10s %8d   none lost            median %8.1f ms   the slowest %8.1f ms\n", "votes", v["votes"], v["vote-ms"], v["vote-most-ms"]
	}' "$figures"
