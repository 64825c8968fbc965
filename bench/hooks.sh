#!/bin/sh
# Prints what being installed costs a `git commit` with a ten-item report on a
# repository of 5,000 files:
#   bench/hooks.sh [TURNS]     (default 30)
# none has no hooks, acta has all that `acta install` writes, pre-commit and
# lefthook (where they are on PATH) have hooks of the same types that do nothing.
set -eu
cd "$(dirname "$0")/.."
turns=${1:-30}
echo "\$ go test -run '^\$' -bench '^BenchmarkHooks\$' -benchtime ${turns}x ./bench"
go test -run '^$' -bench '^BenchmarkHooks$' -benchtime "${turns}x" ./bench | awk '
	{ print }
	/^BenchmarkHooks/ {
		for (i = 3; i < NF; i += 2) v[$(i + 1)] = $i
	}
	function row(name, note) {
		if (!((name "-ms") in v)) { printf "  %-12s not on PATH\n", name; return }
		printf "  %-12s %7.1f ms   %+7.1f ms over none, %4.1f times as long%s\n", name, v[name "-ms"], v[name "-over-none-ms"], v[name "-ms"] / v["none-ms"], note
	}
	END {
		if (!("acta-over-none-ms" in v)) { print "no figures"; exit 1 }
		printf "\nmedians of %s turns\n  %-12s %7.1f ms\n", "'"$turns"'", "none", v["none-ms"]
		row("acta", "   (aim: at most 50 ms over none)")
		row("pre-commit", "")
		row("lefthook", "")
	}'
