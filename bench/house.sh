#!/bin/sh
# Prints what the source is like to live in: lines, tests and longest things by package, struct fields of function type,
# exported names without a comment, arrows between files of a package that run back up:
#   bench/house.sh [-page bench/figures/house.md]
set -eu
cd "$(dirname "$0")/.."
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
go build -C bench -o "$made/house" ./house
"$made/house" "$@"
