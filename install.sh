#!/bin/sh
# Builds acta, and what it runs, acta-serve, from this checkout and installs them.
#
#   ./install.sh                 build, install to ${PREFIX:-$HOME/.local}/bin
#   ./install.sh --repo DIR      the same, and install the git hooks in DIR
#   ./install.sh --release FILE  build nothing: install what an archive of a release holds; with --repo the hooks too
#   ./install.sh --uninstall     take all of it back, the hooks of every --repo included
#
# PREFIX chooses where; CC chooses the C compiler (the grammars are C).
set -eu

prefix=${PREFIX:-${HOME:?HOME is not set: set PREFIX to where acta should go}/.local}
bin=$prefix/bin
# One repository a line: where --repo installed hooks, for --uninstall.
record=$prefix/share/acta/repositories

die() {
	echo "install.sh: $1" >&2
	exit 1
}

usage() {
	sed -n '2,9p' "$0" | sed 's/^# \{0,1\}//'
}

need() {
	command -v "$1" >/dev/null 2>&1 || die "$1 was not found: $2"
}

# -s -w leaves out what only a debugger reads, 14% of the size; urfave_cli_no_docs what only writes manual pages,
# and with it a fifth of the time to start.
compile() {
	tags=$1
	shift
	CGO_ENABLED=1 go build -trimpath -tags "$tags" -ldflags "-s -w $*" -o "$new/" ./cmd/acta ./cmd/acta-serve
}

# Without shared libraries acta starts in two thirds of the time. It takes a C library that is there as an archive.
compile_static() {
	[ "$(go env GOOS)" = linux ] && compile urfave_cli_no_docs,netgo,osusergo -linkmode=external -extldflags=-static
}

build() {
	need go "install Go 1.26 or newer"
	need git "install git"
	compiler=${CC:-$(go env CC)}
	# CC may carry arguments; its first word is the compiler.
	need "${compiler%% *}" "acta's grammars need a C compiler: install gcc or clang, or set CC"
	mkdir -p "$bin"
	echo "building acta (the grammars take a minute or more the first time)"
	fresh
	(cd "$source" && { compile_static 2>/dev/null || compile urfave_cli_no_docs; }) || die "the build failed; see above"
	mv -f "$new/acta-serve" "$new/acta" "$bin/"
	installed acta
}

# Makes a folder beside what is installed: a program is replaced by a rename, so that it is the old one or the new one.
fresh() {
	new=$(mktemp -d "$bin/.new-XXXXXX")
	trap 'rm -rf "$new"' EXIT
}

# Says what was installed, and runs it once to know that it runs here.
installed() {
	version=$("$bin/$1" --version) || die "$bin/$1 does not run on this machine ($(uname -s) $(uname -m))"
	echo "installed $version at $bin/$1"
	case ":$PATH:" in
	*":$bin:"*) ;;
	*) echo "note: $bin is not on PATH; to call acta by its name: export PATH=\"$bin:\$PATH\"" ;;
	esac
}

# The checksums lie beside the archive where both were downloaded. Without them the archive is taken as it is.
checked() {
	sums=$(dirname "$1")/SHA256SUMS
	[ -f "$sums" ] || {
		echo "note: there is no SHA256SUMS beside $1: its checksum was not compared"
		return 0
	}
	if command -v sha256sum >/dev/null 2>&1; then
		found=$(sha256sum <"$1")
	else
		need shasum "install it, or coreutils for sha256sum, to compare the archive's checksum"
		found=$(shasum -a 256 <"$1")
	fi
	grep -Fxq "${found%% *}  $(basename "$1")" "$sums" || die "$1 is not what SHA256SUMS says: download it again"
}

# Unpacks beside the place and renames, so that a running acta is never half of one.
unpack() {
	[ -f "$1" ] || die "there is no file $1"
	need git "install git"
	checked "$1"
	mkdir -p "$bin"
	fresh
	tar -x -f "$1" -C "$new" || die "$1 could not be unpacked; an archive .tar.xz needs tar and xz"
	any=
	for program in acta acta-serve; do
		for file in "$new"/*/"$program"; do
			[ -f "$file" ] || continue
			mv -f "$file" "$bin/$program"
			installed "$program"
			any=yes
		done
	done
	[ -n "$any" ] || die "$1 holds neither acta nor acta-serve"
}

install_hooks() {
	[ -x "$bin/acta" ] || die "$bin/acta is not there: give the archive of acta too"

	code=0
	"$bin/acta" install --repo "$1" || code=$? # 1: husky's or lefthook's files lack a line
	[ $code -le 1 ] || die "the hooks were not installed in $1; see above"
	mkdir -p "$(dirname "$record")"
	touch "$record"
	grep -Fxq "$1" "$record" || printf '%s\n' "$1" >>"$record"
	return $code
}

uninstall() {
	if [ -f "$record" ]; then
		[ -x "$bin/acta" ] || die "$bin/acta is gone, but hooks are installed in the repositories that $record lists; build it again first"
		while IFS= read -r dir; do
			if [ -d "$dir" ]; then
				"$bin/acta" uninstall --repo "$dir" || die "the hooks are still in $dir; see above"
			fi
		done <"$record"
		rm -f "$record"
		rmdir "$(dirname "$record")" 2>/dev/null || :
	fi
	if [ -f "$bin/acta" ]; then
		rm -f "$bin/acta" "$bin/acta-serve"
		echo "removed $bin/acta"
	else
		echo "nothing at $bin/acta"
	fi
}

action=install
repository=
release=
while [ $# -gt 0 ]; do
	case $1 in
	--repo)
		[ $# -gt 1 ] || die "--repo needs a folder"
		repository=$2
		shift
		;;
	--repo=*) repository=${1#--repo=} ;;
	--release)
		[ $# -gt 1 ] || die "--release needs a file"
		release=$2
		shift
		;;
	--release=*) release=${1#--release=} ;;
	--uninstall) action=uninstall ;;
	-h | --help)
		usage
		exit 0
		;;
	*)
		usage >&2
		exit 2
		;;
	esac
	shift
done

source=$(cd "$(dirname "$0")" && pwd)
if [ -n "$repository" ]; then
	[ -d "$repository" ] || die "there is no folder $repository"
	repository=$(cd "$repository" && pwd)
fi

if [ "$action" = uninstall ]; then
	uninstall
else
	if [ -n "$release" ]; then
		unpack "$release"
	else
		build
	fi
	if [ -n "$repository" ]; then
		install_hooks "$repository"
	fi
fi
