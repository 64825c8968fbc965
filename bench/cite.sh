#!/bin/sh
# Prints how much of what `acta cite` prints `acta check` accepts, over real commits:
#   bench/cite.sh FOLDER [COMMITS]     (default 50 a repository)
# FOLDER holds git repositories, bare or not, at any depth up to two. Of each the last COMMITS commits without merges are
# staged one after the other on their parents, in a repository that borrows the objects; nothing is written to FOLDER.
# Exit code 1 where something is refused. ACTA names the executable; without it one is built.
set -eu
[ $# -ge 1 ] || { sed -n '2,3s/^# \{0,1\}//p' "$0" >&2; exit 2; }
folder=$(cd "$1" && pwd)
commits=${2:-50}
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
acta=${ACTA:-$scratch/acta}
[ -n "${ACTA:-}" ] || go build -o "$acta" ./cmd/acta
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_COMMITTER_NAME=bench GIT_COMMITTER_EMAIL=bench@example.org

total=0 told=0 accepted=0
for dir in "$folder" "$folder"/* "$folder"/*/*; do
	[ -d "$dir/objects" ] || [ -d "$dir/.git/objects" ] || continue
	git -C "$dir" rev-parse --quiet --verify HEAD >/dev/null 2>&1 || continue
	work=$scratch/work
	rm -rf "$work"
	git clone --quiet --shared --no-checkout "$dir" "$work" 2>/dev/null || continue
	here=0 named=0 fine=0
	for c in $(git -C "$work" rev-list --no-merges --min-parents=1 -n "$commits" HEAD); do
		git -C "$work" update-ref --no-deref HEAD "$c^"
		git -C "$work" read-tree "$c"
		here=$((here + 1))
		{ printf 'ACT: T01 what was done\n\n'; (cd "$work" && "$acta" cite 2>/dev/null); } >"$scratch/message"
		grep -q '^Done: ' "$scratch/message" || continue
		named=$((named + 1))
		if (cd "$work" && "$acta" check --message "$scratch/message") >"$scratch/answer" 2>&1; then
			fine=$((fine + 1))
		else
			echo "refused: $dir $c"
			sed -n '1,6s/^/    /p' "$scratch/answer"
		fi
	done
	echo "$dir: $here commits, $named with something to cite, $fine accepted"
	total=$((total + here)) told=$((told + named)) accepted=$((accepted + fine))
done
[ "$told" -gt 0 ] || { echo "no commits with something to cite below $folder" >&2; exit 3; }
echo "all: $total commits, $told with something to cite, $accepted accepted ($((1000 * accepted / told)) in 1,000)"
[ "$accepted" -eq "$told" ]
