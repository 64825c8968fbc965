#!/bin/sh
# Prints what the worklog costs, as whole processes in one run:
#   bench/worklog.sh [TURNS]     (default 50)
# noop is a Go program that does nothing; append is `acta worklog log` that only
# keeps an entry, flush one that writes the session to its ref as well, checkpoint
# is `acta worklog checkpoint`, verification a change of todos that `acta agent
# hook` verifies in a STRICT session, prompt a prompt at which it tells the model
# the score of a hundred ACTs. Over the start of acta, which does nothing else: unmoved is the hook after a tool where
# nothing was committed, moved one that judges a commit with a report of ten items, asked the guard's answer before a
# command. The session has 200 entries before the first
# turn. Then: how many entries a write of the ref carries, in a session of 500.
set -eu
cd "$(dirname "$0")/.."
turns=${1:-50}
echo "\$ go test -C bench -run '^\$' -bench '^BenchmarkWorklog\$' -benchtime ${turns}x ."
go test -C bench -run '^$' -bench '^BenchmarkWorklog$' -benchtime "${turns}x" . | awk '
	{ print }
	/^BenchmarkWorklog/ {
		for (i = 3; i < NF; i += 2) v[$(i + 1)] = $i
	}
	function row(name, aim) {
		if (!((name "-ms") in v)) { printf "  %-14s not there\n", name; return }
		printf "  %-14s %6.1f %6.1f", name, v[name "-least-ms"], v[name "-ms"]
		if (aim) printf "   %+8.1f %+8.1f   (aim: at most %d)", v[name "-over-noop-least-ms"], v[name "-over-noop-ms"], aim
		printf "\n"
	}
	function over(name, aim) {
		printf "  %-14s %6.1f %6.1f   %+8.1f %+8.1f   (aim: at most %d)\n", name, v[name "-least-ms"], v[name "-ms"],
			v[name "-over-start-least-ms"], v[name "-over-start-ms"], aim
	}
	END {
		if (!("flush-over-noop-ms" in v)) { print "no figures"; exit 1 }
		printf "\nmilliseconds, %s turns\n  %-14s %6s %6s   %8s %8s\n", "'"$turns"'", "process", "least", "median", "least", "median over the no-op"
		row("noop", 0)
		row("append", 15)
		row("flush", 50)
		row("verification", 50)
		row("checkpoint", 100)
		row("prompt", 150)
		printf "\nover the start of acta\n"
		row("start", 0)
		over("unmoved", 3)
		over("moved", 50)
		over("asked", 3)
		printf "\n%d entries, %d writes of the ref: %.1f %% fewer   (aim: at least 80)\n", v["entries"], v["writes"], 100 * (1 - v["writes"] / v["entries"])
	}'
