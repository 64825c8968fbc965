#!/bin/sh
# Prints what a ledger in PostgreSQL costs, in one that it starts and ends itself:
#   bench/fleet.sh [TURNS]     (default 200; VERDICTS=1000000)
# It fills with reports of 200 verdicts; when it is full come reports of 20 of today, from 32 jobs and then alone; answers are
# asked of the database, and over HTTP of the real acta-serve, right after one, nothing of them is kept from the turn before.
set -eu
cd "$(dirname "$0")/.."
turns=${1:-200}
echo "\$ go test -C bench -run '^\$' -bench '^BenchmarkFleet\$' -benchtime ${turns}x -timeout 60m ."
go test -C bench -run '^$' -bench '^BenchmarkFleet$' -benchtime "${turns}x" -timeout 60m . | awk '
	{ print }
	/^BenchmarkFleet/ {
		for (i = 3; i < NF; i += 2) v[$(i + 1)] = $i
	}
	function row(name, what, aim) {
		printf "  %-36s %9.1f %9.1f%s\n", what, v[name "-ms"], v[name "-p95-ms"], aim
	}
	END {
		if (!("http-score-p95-ms" in v)) { print "no figures"; exit 1 }
		printf "\n%d verdicts, %d days of actors; milliseconds, %s turns\n  %-36s %9s %9s\n", v["verdicts"], v["actor-days"], "'"$turns"'", "", "median", "p95"
		printf "  %-36s %9.0f\n", "reports a second, 32 jobs at once", v["reports-a-second"]
		printf "  %-36s %9.0f\n", "verdicts a second while it fills", v["filling-verdicts-a-second"]
		row("report", "report of 20 verdicts", "")
		row("history", "history of an actor, 8 days", "   (aim: at most 100)")
		row("total", "history of everyone, 8 days", "   (aim: at most 100)")
		row("leaderboard", "leaderboard, 8 days", "   (aim: at most 100)")
		row("month", "leaderboard, 30 days", "   (aim: at most 100)")
		row("repositories", "every repository, 8 days", "   (aim: at most 100)")
		row("http-history", "GET /api/score/history", "   (aim: at most 100)")
		row("http-score", "GET /api/score", "   (aim: at most 100)")
	}'
