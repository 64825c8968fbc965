#!/bin/sh
# Agents that commit at once, each in its own work tree of one repository with acta's hooks; one in four lies:
#   bench/worktrees.sh [AGENTS]
# Prints how long any of them waited for a lock that another held, by strace. Fails where that is more than 100 ms, an
# honest commit is not made, or a lie is.
set -eu
cd "$(dirname "$0")/.."
agents=${1:-20}
command -v strace >/dev/null || { echo "strace was not found: it tells how long a lock was waited for" >&2; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/acta" ./cmd/acta
export GIT_CONFIG_GLOBAL="$dir/gitconfig" GIT_CONFIG_SYSTEM=/dev/null HOME="$dir" PATH="$dir:$PATH"
git config --global user.name agent
git config --global user.email agent@example.com
git init -q "$dir/main"
echo 'def first(): return 1' >"$dir/main/first.py"
git -C "$dir/main" add -A
git -C "$dir/main" commit -qm first
"$dir/acta" install --repo "$dir/main" >"$dir/installed"

commit() { # the work tree's number, and the body of what it claims
	cd "$dir/$1"
	printf 'def work%s(x):\n    %s\n' "$1" "$2" >"work$1.py"
	git add -A
	strace -f -qq -T -e trace=flock -o "$dir/locks$1" \
		git commit -qm "ACT: T$1 work" -m "Done: Add work$1() | work$1.py:1-2" 2>"$dir/said$1" || :
}
for i in $(seq "$agents"); do git -C "$dir/main" worktree add -q -b "b$i" "$dir/$i"; done
for i in $(seq "$agents"); do
	if [ $((i % 4)) = 0 ]; then commit "$i" pass & else commit "$i" "return x + $i" & fi
done
wait
failed=0
for i in $(seq "$agents"); do
	made=$(git -C "$dir/$i" rev-list --count "main..b$i" 2>/dev/null || git -C "$dir/$i" rev-list --count "master..b$i")
	want=1
	[ $((i % 4)) != 0 ] || want=0
	[ "$made" = "$want" ] || { echo "agent $i made $made commits, not $want:" >&2; cat "$dir/said$i" >&2; failed=1; }
done
cat "$dir"/locks* | sed -n 's/.*flock(.* = 0 <\(.*\)>$/\1/p' | sort -n >"$dir/waits"
[ -s "$dir/waits" ] || { echo "no lock was taken" >&2; exit 1; }
awk -v agents="$agents" '{ w[NR] = $1 * 1000 }
END { printf "%d agents, %d locks: waited %.1f ms in the median, %.1f at most\n", agents, NR, w[int((NR + 1) / 2)], w[NR]; exit w[NR] > 100 }' "$dir/waits" || failed=1
exit $failed
