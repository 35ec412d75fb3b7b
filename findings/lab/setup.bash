# Sourced by every finding: a folder of its own with a home in it, removed at the end, and a few words to report with.

LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
mkdir "$T/home" "$T/tmp"

# Installs packages, each with its exact version. npm keeps the home of whoever calls, and with it a registry set there.
install() {
	printf '{"private": true, "type": "module"}\n' >"$T/package.json"
	(cd "$T" && npm install --no-audit --no-fund --no-save --loglevel=error "$@" >"$T/npm.log" 2>&1) || {
		cat "$T/npm.log" >&2
		exit 1
	}
	printf 'installed: %s\n' "$*"
	PATH=$T/node_modules/.bin:$PATH
}

# Unpacks packages of Debian's, as `install_debian POOL PACKAGE_VERSION SHA256`, which is to be put on the paths. The archive
# keeps one for as long as a release has it; once it is gone, the finding needs another version, and has to be looked at again.
install_debian() {
	curl -fsSL -o "$T/package.deb" "https://deb.debian.org/debian/pool/main/$1/$2_amd64.deb"
	printf '%s  %s\n' "$3" "$T/package.deb" | sha256sum --check --quiet
	(cd "$T" && ar x package.deb data.tar.xz && mkdir -p debian && tar -xJf data.tar.xz -C debian)
	printf 'installed: %s from Debian\n' "$2"
}

# Installs git, as `install_git git=VERSION SHA256`.
install_git() {
	install_debian g/git "${1/=/_}" "$2"
	local usr=$T/debian/usr
	export PATH=$usr/bin:$PATH GIT_EXEC_PATH=$usr/lib/git-core GIT_TEMPLATE_DIR=$usr/share/git-core/templates
}

# Installs a git that needs a newer C library than Debian 12 has, and brings one, as `install_newer_git git=VERSION SHA256`. All its names are links to one program.
install_newer_git() {
	install_git "$@"
	install_debian g/glibc libc6_2.41-12+deb13u5 b59b0625cd1a791375d40dab23a4d5d3d0641e3d0a773501becdc3725b7f99cf
	local libraries=$T/debian/usr/lib/x86_64-linux-gnu program=$GIT_EXEC_PATH/git
	mv "$program" "$program.elf"
	printf '#!/bin/sh\nexec %s --argv0 "$0" --library-path %s %s "$@"\n' \
		"$libraries/ld-linux-x86-64.so.2" "$libraries" "$program.elf" >"$program"
	chmod +x "$program"
	ln -sf "$program" "$T/debian/usr/bin/git"
}

# From here on nothing of the person's own configuration is read.
own_home() {
	export HOME=$T/home XDG_CONFIG_HOME=$T/home/.config TMPDIR=$T/tmp GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8 TZ=UTC
	export GIT_AUTHOR_NAME=Someone GIT_AUTHOR_EMAIL=someone@example.com
	export GIT_COMMITTER_NAME=Someone GIT_COMMITTER_EMAIL=someone@example.com
}

# Runs a module from standard input next to the packages and the lab's own modules.
run_module() {
	cp "$LAB"/*.mjs "$T/"
	cat >"$T/finding.mjs"
	(cd "$T" && node finding.mjs)
}

# same WHAT EXPECTED ACTUAL: says what was seen, and ends the run if it is not what was seen before.
same() {
	if [ "$2" = "$3" ]; then
		printf 'seen: %s: %s\n' "$1" "$3"
	else
		printf 'CHANGED: %s\n--- before\n%s\n--- now\n%s\n' "$1" "$2" "$3" >&2
		exit 1
	fi
}
