#!/bin/sh
# Prints what a long plan with a long history costs, as whole processes in one run:
#   bench/units.sh [TURNS]     (default 5; UNITS=10000 units in the plan, an ACT of one claim for each)
# at once is the page asked for as soon as the server says that it serves, page the one asked for when that is there; the
# score of the history is kept.
set -eu
cd "$(dirname "$0")/.."
turns=${1:-5}
echo "\$ go test -C bench -run '^\$' -bench '^BenchmarkUnits\$' -benchtime ${turns}x -timeout 30m ."
go test -C bench -run '^$' -bench '^BenchmarkUnits$' -benchtime "${turns}x" -timeout 30m . | awk '
	{ print }
	/^BenchmarkUnits/ {
		for (i = 3; i < NF; i += 2) v[$(i + 1)] = $i
	}
	function row(name, what) {
		printf "  %-24s %9.1f %9.1f\n", what, v[name "-least-ms"], v[name "-ms"]
	}
	END {
		if (!("units" in v)) { print "no figures"; exit 1 }
		printf "\n%d units, as many ACTs; milliseconds, %s turns (aim: at most 300 each)\n  %-24s %9s %9s\n", v["units"], "'"$turns"'", "process", "least", "median"
		row("start", "acta, start alone")
		row("next", "plan next")
		row("show", "plan show")
		row("drift", "drift")
		row("list", "worklog list")
		row("at-once", "the page, at once")
		row("page", "the page")
	}'
