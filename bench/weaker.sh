#!/bin/sh
# Prints how often package tests is wrong about honest changes of tests, and how many changes of a mutator it finds:
#   bench/weaker.sh [OPTION…] CORPUS…
# CORPUS is a git repository, or a folder of repositories. Of each, non-merge commits are compared with their parents,
# evenly over its history; what is found is an error, a warning or a note as it would be in STANDARD, were every commit an
# ACT with its own message. Nothing in CORPUS is written or run.
#   -recall        changes tests of the newest commit in each form instead, and counts what is found
#   -gates         loosens gates of the newest commit, and makes its code see tests, and counts what is found
#   -pairs         CORPUS is a folder of CORPUS/CASE/before, …/after and …/label (a word): counts what is said of each label
#   -commits N     how many commits of a repository, evenly over its history (500)
#   -mutants N     how many tests of a repository are changed in each form (40)
#   -findings FILE a line for each finding; -misses FILE: one for each change that was not found
#   -languages L   only these, separated by commas, of -recall
# bench/figures/tests.md has the published figures.
set -eu
cd "$(dirname "$0")/.."
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
go build -C bench -o "$here/weaker" ./weaker
"$here/weaker" "$@"
