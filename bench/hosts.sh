#!/bin/sh
# Plays a lie, honest work and what else agents do in the real programs that they
# run in, each against a model of our own on loopback:
#   bench/hosts.sh [FOLDER] [HOST…]
# The programs are fetched from npm at the versions of bench/hosts/*_test.go into FOLDER,
# which is kept; without one into a folder that is taken away again. Without a HOST
# all are run.
set -eu
cd "$(dirname "$0")/.."
command -v npm >/dev/null || { echo "npm was not found: it fetches the programs" >&2; exit 1; }
if [ $# -gt 0 ]; then
	ACTA_HOSTS=$(mkdir -p "$1" && cd "$1" && pwd)
	shift
else
	ACTA_HOSTS=$(mktemp -d)
	trap 'rm -rf "$ACTA_HOSTS"' EXIT
fi
export ACTA_HOSTS
for host in ${*:-$(go test -C bench ./hosts -run '^TestPrograms$' -v | sed -n 's/^program //p' | cut -d' ' -f1)}; do
	module=$(go test -C bench ./hosts -run '^TestPrograms$' -v | sed -n "s/^program $host //p")
	[ -n "$module" ] || { echo "there is no program $host" >&2; exit 2; }
	npm install --silent --ignore-scripts --no-save --prefix "$ACTA_HOSTS/$host" "$module" >/dev/null
done
only=$(printf '%s' "${*:-.*}" | tr ' ' '|')
log=$(mktemp)
go test -C bench ./hosts -count=1 -timeout 30m -v -run "^Test/^($only)\$" >"$log" && code=0 || code=$?
sed -n 's/^ *--- //p; /^ok/p; /^FAIL/p' "$log"
grep -q '^    --- [PF]' "$log" || { echo "no play was run" >&2; code=1; }
[ $code = 0 ] || cat "$log" >&2
rm -f "$log"
exit $code
