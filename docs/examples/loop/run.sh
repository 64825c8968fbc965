#!/bin/sh
# Makes a repository with the example's plan in a new folder, and lets the scripted agents work in it:
#   docs/examples/loop/run.sh FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
git init --quiet --initial-branch=main "$1"
cp -R "$here/project/." "$1"
cd "$1"
git add .
git commit --quiet --message 'The first plan'
acta install
acta loop --actor executor-01 \
	--executor "$here/executor.sh" --assessor "$here/assessor.sh" --navigator "$here/navigator.sh"
