#!/bin/sh
# Prints what being installed costs a `git commit` with a ten-item report on a
# repository of 5,000 files:
#   bench/hooks.sh [TURNS]     (default 30)
# none has no hooks, acta has all that `acta install` writes, pre-commit and
# lefthook (where they are on PATH) have hooks of the same types that do nothing.
set -eu
cd "$(dirname "$0")/.."
turns=${1:-30}
echo "\$ go test -C bench -run '^\$' -bench '^BenchmarkHooks\$' -benchtime ${turns}x ."
go test -C bench -run '^$' -bench '^BenchmarkHooks$' -benchtime "${turns}x" . | awk '
	{ print }
	/^BenchmarkHooks/ {
		for (i = 3; i < NF; i += 2) v[$(i + 1)] = $i
	}
	function row(name, note) {
		if (!((name "-ms") in v)) { printf "  %-12s not on PATH\n", name; return }
		printf "  %-12s %7.1f %7.1f", name, v[name "-least-ms"], v[name "-ms"]
		if (name != "none") printf "   %+8.1f %+8.1f%s", v[name "-over-none-least-ms"], v[name "-over-none-ms"], note
		printf "\n"
	}
	END {
		if (!("acta-over-none-ms" in v)) { print "no figures"; exit 1 }
		printf "\nmilliseconds of git commit, %s turns\n  %-12s %7s %7s   %8s %8s\n", "'"$turns"'", "hooks", "least", "median", "least", "median over none"
		row("none", "")
		row("acta", "   (aim: at most 50 over none)")
		row("pre-commit", "")
		row("lefthook", "")
	}'
