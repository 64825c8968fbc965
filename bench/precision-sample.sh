#!/bin/sh
# Measures precision, as bench/precision.sh does, over sources that Debian's and npm's packages bring, and fails where a
# figure misses its aim. It needs apt-get and npm; nothing is installed, the packages are unpacked into a folder of its own.
#   bench/precision-sample.sh [OPTION…]      options as of bench/precision.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT
cd "$sources"
for package in golang-github-spf13-cobra-dev golang-gopkg-yaml.v3-dev librust-serde-json-dev librust-clap-dev ruby-rack ruby-thor \
	php-symfony-console php-twig lua-penlight python3-werkzeug python3-click libfmt-dev nlohmann-json3-dev; do
	apt-get download -qq "$package" >/dev/null
	dpkg -x "$package"_*.deb "$sources/$package"
done
npm install --silent --no-audit --no-fund --ignore-scripts --no-save --prefix "$sources/npm" \
	express@5.1.0 koa@3.0.0 rxjs@7.8.1 @capacitor/android@7.4.3 @capacitor/ios@7.4.3 expo-modules-core@3.0.15 >/dev/null
for package in express koa rxjs/src @capacitor/android @capacitor/ios expo-modules-core; do
	set -- "$@" "$sources/npm/node_modules/$package"
done
for package in "$sources"/*-dev "$sources"/ruby-* "$sources"/php-* "$sources"/lua-* "$sources"/python3-*; do
	[ ! -d "$package" ] || set -- "$@" "$package"
done
exec "$here/precision.sh" -gate "$@"
