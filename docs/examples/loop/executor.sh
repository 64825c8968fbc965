#!/bin/sh
# An executor for `acta loop`: does the unit that ACTA_UNIT names, and prints the report of it.
# A real one hands its standard input, {"unit", "key", "tree"}, to a coding agent. When a reply
# was refused, it comes again with "error" in it.
set -eu
request=$(cat)

case $ACTA_UNIT in
*/T01)
	cat >greet.sh <<'CODE'
greet() {
	printf 'Hello, %s\n' "$1"
}
CODE
	echo '{"summary": "greet by name", "outcome": "success", "checklist": [
	  {"item": "Add greet() to greet.sh", "status": "done", "evidence": "greet.sh:1-3"}]}'
	;;
*/T02)
	# The first attempt claims more than it did; acta refuses the commit and says why.
	case $request in
	*'"error":'*) body="printf 'Goodbye, %s\\n' \"\$1\"" ;;
	*) body='# TODO: implement' ;;
	esac
	printf 'leave() {\n\t%s\n}\n' "$body" >leave.sh
	echo '{"summary": "take leave by name", "outcome": "success", "checklist": [
	  {"item": "Add leave() to leave.sh", "status": "done", "evidence": "leave.sh:1-3"}]}'
	;;
*)
	echo '{"outcome": "aborted", "summary": "this example knows nothing of the unit"}'
	;;
esac
