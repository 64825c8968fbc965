#!/bin/sh
# Prints what the gate costs, as whole processes in one run:
#   bench/gate.sh [TURNS]     (default 50)
# noop is a Go hook that does nothing, start is `acta --version`, hook is
# `acta hook commit-msg` with a ten-item report on a repository of 5,000 files.
set -eu
cd "$(dirname "$0")/.."
turns=${1:-50}
echo "\$ go test -run '^\$' -bench '^BenchmarkGate\$' -benchtime ${turns}x ./bench"
go test -run '^$' -bench '^BenchmarkGate$' -benchtime "${turns}x" ./bench | awk '
	{ print }
	/^BenchmarkGate/ {
		for (i = 3; i < NF; i += 2) v[$(i + 1)] = $i
	}
	END {
		if (!("hook-over-noop-ms" in v)) { print "no figures"; exit 1 }
		printf "\nmedians of %s turns\n", "'"$turns"'"
		printf "  no-op Go hook       %6.1f ms\n", v["noop-ms"]
		printf "  acta, start alone   %6.1f ms   %+.1f ms over the no-op (aim: at most 3)\n", v["start-ms"], v["start-over-noop-ms"]
		printf "  acta, the whole gate%6.1f ms   %+.1f ms over the no-op (aim: at most 20)\n", v["hook-ms"], v["hook-over-noop-ms"]
	}'
