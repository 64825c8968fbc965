#!/bin/sh
# Prints what the gate costs, as whole processes in one run:
#   bench/gate.sh [TURNS]     (default 50)
# noop is a Go hook that does nothing, start is `acta --version`, hook is
# `acta hook commit-msg` with a ten-item report on a repository of 5,000 files.
set -eu
cd "$(dirname "$0")/.."
turns=${1:-50}
echo "\$ go test -C bench -run '^\$' -bench '^BenchmarkGate\$' -benchtime ${turns}x ."
go test -C bench -run '^$' -bench '^BenchmarkGate$' -benchtime "${turns}x" . | awk '
	{ print }
	/^BenchmarkGate/ {
		for (i = 3; i < NF; i += 2) v[$(i + 1)] = $i
	}
	function row(name, what, aim) {
		printf "  %-20s %6.1f %6.1f", what, v[name "-least-ms"], v[name "-ms"]
		if (name != "noop") printf "   %+8.1f %+8.1f   (aim: at most %d)", v[name "-over-noop-least-ms"], v[name "-over-noop-ms"], aim
		printf "\n"
	}
	END {
		if (!("hook-over-noop-ms" in v)) { print "no figures"; exit 1 }
		printf "\nmilliseconds, %s turns\n  %-20s %6s %6s   %8s %8s\n", "'"$turns"'", "process", "least", "median", "least", "median over the no-op"
		row("noop", "no-op Go hook", 0)
		row("start", "acta, start alone", 3)
		row("hook", "acta, the whole gate", 20)
	}'
