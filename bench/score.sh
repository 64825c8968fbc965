#!/bin/sh
# Prints what a score costs, as whole processes in one run:
#   bench/score.sh [TURNS]     (default 10; ACTS=10000 commits of ten claims each)
# cold judges every commit, warm has the cache (and judges 32 commits again, at random),
# more is warm after one more ACT has landed, history is `acta score history`.
set -eu
cd "$(dirname "$0")/.."
turns=${1:-10}
echo "\$ go test -C bench -run '^\$' -bench '^BenchmarkScore\$' -benchtime ${turns}x -timeout 60m ."
go test -C bench -run '^$' -bench '^BenchmarkScore$' -benchtime "${turns}x" -timeout 60m . | awk '
	{ print }
	/^BenchmarkScore/ {
		for (i = 3; i < NF; i += 2) v[$(i + 1)] = $i
	}
	function row(name, what, aim) {
		printf "  %-28s %9.1f %9.1f%s\n", what, v[name "-least-ms"], v[name "-ms"], aim
	}
	END {
		if (!("warm-ms" in v)) { print "no figures"; exit 1 }
		printf "\n%d verdicts; milliseconds, %s turns\n  %-28s %9s %9s\n", v["verdicts"], "'"$turns"'", "process", "least", "median"
		row("start", "acta, start alone", "")
		row("cold", "score, cold (once)", "")
		row("warm", "score, warm", "   (aim: under 1000)")
		row("history", "score history, warm", "")
		row("more", "score, one more commit", "")
	}'
