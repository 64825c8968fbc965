#!/bin/sh
# Measures precision, as bench/precision.sh does, over sources that Debian's and npm's packages bring, and fails where a
# figure misses its aim, or the floor of bench/precision/floors.txt that stands for it. It needs apt-get, dpkg and
# universal-ctags, and npm for half of the languages; no package is installed or run, they are unpacked into a folder of their own.
#   bench/precision-sample.sh [OPTION…]      options as of bench/precision.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
for tool in apt-get dpkg ctags go; do
	command -v "$tool" >/dev/null || { echo "bench/precision-sample.sh needs $tool" >&2; exit 3; }
done
sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT
cd "$sources"
packages="golang-github-spf13-cobra-dev golang-gopkg-yaml.v3-dev librust-serde-json-dev librust-clap-dev ruby-rack ruby-thor
	php-symfony-console php-twig lua-penlight python3-werkzeug python3-click libfmt-dev nlohmann-json3-dev"
download() { apt-get download -qq -o APT::Sandbox::User=root $packages >/dev/null 2>"$sources/words"; }
download || { apt-get update -qq && download; } || {
	cat "$sources/words" >&2
	echo "bench/precision-sample.sh cannot fetch Debian's packages of sources" >&2
	exit 3
}
for package in $packages; do
	dpkg -x "$package"_*.deb "$sources/$package"
	set -- "$@" "$sources/$package"
done
if ! command -v npm >/dev/null; then
	echo "npm was not found: JavaScript, TypeScript, Java, Kotlin and Swift are not measured" >&2
elif npm install --silent --no-audit --no-fund --ignore-scripts --no-save --legacy-peer-deps --prefix "$sources/npm" \
	express@5.1.0 koa@3.0.0 rxjs@7.8.1 @capacitor/android@7.4.3 @capacitor/ios@7.4.3 expo-modules-core@3.0.15 >/dev/null; then
	for package in express koa rxjs/src @capacitor/android @capacitor/ios expo-modules-core; do
		set -- "$@" "$sources/npm/node_modules/$package"
	done
else
	echo "npm's packages could not be fetched: JavaScript, TypeScript, Java, Kotlin and Swift are not measured" >&2
fi
"$here/precision.sh" -gate -commits 10 -functions 4 -per-commit 4 "$@"
