#!/bin/sh
# What tests of public repositories notice: each function of some files becomes hollow, in the order of the files.
# bench/prove.sh DIR FILES COMMAND…: DIR is a checkout whose tests run here, FILES a pattern of its paths (**.go).
# An ACT in a clone claims the files whole; acta prove asks MOST functions (default 20). ACTA is the program, SHARE an
# ignored folder of the checkout that the tests need. Paths are absolute.
set -eu
dir=$1 files=$2
shift 2
acta=${ACTA:-acta}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q --no-hardlinks "$dir" "$work/r"
cd "$work/r"
for shared in ${SHARE:-}; do
	ln -s "$dir/$shared" "$shared"
done
git config user.name bench
git config user.email bench@localhost
{
	printf 'ACT: T01 all\n\n'
	git ls-files -- ":(glob)$files" | grep -v _test | awk '{ printf "Done: Implement part %d | %s:1-999999\n", NR, $0 }'
} >"$work/message"
while IFS= read -r line; do # each span ends with its file
	case $line in
	Done:*)
		path=${line##* | } path=${path%:1-999999}
		lines=$(awk 'END { print NR }' "$path")
		printf '%s:1-%s\n' "${line%:1-999999}" "$lines" ;;
	*) printf '%s\n' "$line" ;;
	esac
done <"$work/message" >"$work/act"
git commit -q --allow-empty --no-verify -F "$work/act"
began=$(date +%s)
"$@" >/dev/null 2>&1 || { echo "the tests fail as they are" >&2; exit 3; }
once=$(($(date +%s) - began))
began=$(date +%s)
"$acta" prove --most "${MOST:-20}" ${SHARE:+--share "$SHARE"} --format json -- "$@" >"$work/proof.json" 2>"$work/said" || true
took=$(($(date +%s) - began))
cat "$work/said" >&2
python3 - "$work/proof.json" "$once" "$took" <<'PY'
import collections, json, sys
with open(sys.argv[1]) as f:
    proof = json.load(f)["proof"]
functions = [f for f in proof["functions"] if f["path"]]  # a file without a function has none
n = collections.Counter(f["answer"] for f in functions)
asked = max(1, len(functions))
print(f"{asked} functions: {n['noticed']} noticed, {n['unnoticed']} unnoticed, {n['inconclusive']} inconclusive; "
      f"{int(sys.argv[3]) / (asked + 2):.1f} s each, the tests once {sys.argv[2]} s")
for f in proof["functions"]:
    if f["answer"] != "noticed":
        print(f"  {f['path']}:{f['line']} {f['symbol']} gives {f['gives']}: {f['answer']} {f['by']}")
PY
