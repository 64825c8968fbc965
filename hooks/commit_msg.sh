#!/bin/sh
@MARKER@
# Runs the hook that was here before, then acta on the message file $1.

if [ -x "$0@CHAINED@" ]; then
	"$0@CHAINED@" "$@" || exit $?
fi

installed=@ACTA@
acta=$installed
if [ -x "$acta" ] || acta=$(command -v acta); then
	exec "$acta" hook commit-msg "$@"
fi

# The executable is gone. What claims something is refused, everything else
# passes. A diff below a scissors line (git commit -v) is no part of the message.
keys='act|adapt|done|skipped|pending|ran|report|outcome|actor|session|reason|tier|waive|observation|reopen|replan|reassess'
if sed '/^. -* >8 -*$/,$d' "$1" | grep -Eiq "^[[:space:]]*([*-][[:space:]]+)?($keys)[[:space:]]*:"; then
	echo "acta: the commit was refused: its message makes claims, and acta is neither at" >&2
	echo "    $installed nor on PATH to check them" >&2
	echo "    install acta again (./install.sh in its checkout), or take this hook out: $0" >&2
	exit 1
fi
echo "acta: warning: acta is neither at $installed nor on PATH; this commit was not checked" >&2
