#!/bin/sh
# Prints how often acta is wrong about honest work, and how often hollow work passes it:
#   bench/precision.sh [OPTION…] CORPUS…
# CORPUS is a git repository, a folder of repositories, or a folder of plain sources. Their recent commits are rebuilt as
# ACTs in a scratch repository, as they were and with functions hollowed out in every form of bench/precision/forms, and
# judged by `acta verify`. Functions are found by universal-ctags, which must be there. Nothing in CORPUS is written or run.
#   -counts        claims every function of whole trees instead, and prints how many each reason and word touches
#   -unreferenced  hollows nothing, and prints how many honest functions evidence_unreferenced speaks of
#   -items         claims the subject of each commit for what it changed, and prints how many hold
#   -page FILE     writes the tables into the page, between its marks
#   -misses DIR    lists every claim that was judged otherwise than it should be, to be read by a person
#   -languages L   only these, separated by commas; -commits N, -functions N: how much of each repository
#   -gate          exit 1 where a figure misses its aim
#   -acta FILE     the executable to measure instead of this tree's
# bench/figures/precision.md has the published figures.
set -eu
cd "$(dirname "$0")/.."
ctags --version 2>/dev/null | grep -q 'Universal Ctags' || { echo "bench/precision.sh needs universal-ctags" >&2; exit 3; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
go build -C bench -o "$here/precision" ./precision
go build -o "$here/acta" ./cmd/acta
"$here/precision" -acta "$here/acta" "$@"
