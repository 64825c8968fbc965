#!/bin/sh
# Prints how fast `acta stubs` is beside ast-grep, over the same trees in one run:
#   bench/stubs.sh [TURNS]     (default 5)
# The trees are Go's own src and the .py files of Python's standard library. The
# rules in bench/ast-grep say what ast-grep looks for. ast-grep comes from npm, into
# a folder that is removed again; ACTA_AST_GREP names one that is there.
set -eu
cd "$(dirname "$0")/.."
turns=${1:-5}
if [ -z "${ACTA_AST_GREP:-}" ]; then
	command -v npm >/dev/null || { echo "bench/stubs.sh needs npm, or ACTA_AST_GREP=/path/to/ast-grep" >&2; exit 3; }
	node=$(mktemp -d)
	trap 'rm -rf "$node"' EXIT
	npm install --silent --no-audit --no-fund --prefix "$node" @ast-grep/cli@0.51 >&2
	ACTA_AST_GREP=$node/node_modules/.bin/ast-grep
fi
export ACTA_AST_GREP
"$ACTA_AST_GREP" --version
echo "\$ go test -C bench -run '^\$' -bench '^BenchmarkStubs\$' -benchtime ${turns}x ."
go test -C bench -run '^$' -bench '^BenchmarkStubs$' -benchtime "${turns}x" . | awk '
	{ print }
	/^BenchmarkStubs\// {
		split($1, name, /[\/-]/)
		for (i = 3; i < NF; i += 2) v[name[2], $(i + 1)] = $i
		seen[name[2]] = 1
	}
	END {
		if (!("go" in seen) || !("python" in seen)) { print "no figures"; exit 1 }
		printf "\nmedians of %s turns\n", "'"$turns"'"
		for (n in seen)
			printf "  %-7s acta stubs %6.2f s   ast-grep %6.2f s   %.1f times as fast (aim: %s)\n", n, \
				v[n, "acta-s"], v[n, "ast-grep-s"], v[n, "times"], n == "go" ? "3" : "1.5"
	}'
