#!/bin/sh
# Prints what acta verify says of the boxes that a history ticked, and of the same boxes over hollowed code:
#   bench/plans.sh [OPTION…] REPOSITORY…
# REPOSITORY is a git directory whose plans are Markdown of spec-kit, OpenSpec or Kiro. All is done in a clone of it.
# Hollowed: each commit with a verified box is made once more, on the same parent and with the same message, each function of
# the files that it changes and that its boxes cite in the first form of acta prove; boxes are counted that stay verified.
#   -acta BIN      the acta to ask (acta)
#   -boxes FILE    a line for each box of the history: repository, commit, verdict, unit, item, evidence, reason
#   -hollow FILE   the same for each verified box over hollowed code
#   -plain         leaves the hollowing out
# bench/figures/plans.md has the published figures.
set -eu
cd "$(dirname "$0")/.."
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
go build -C bench -o "$here/plans" ./plans
"$here/plans" "$@"
