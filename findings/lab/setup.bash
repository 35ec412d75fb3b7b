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

# Installs git from a package of Debian, as `install_git git=VERSION SHA256`. The archive keeps a package for as long as a
# release has it; once it is gone, the finding needs another version, and has to be looked at again.
install_git() {
	local package=${1/=/_}_amd64.deb
	curl -fsSL -o "$T/$package" "https://deb.debian.org/debian/pool/main/g/git/$package"
	printf '%s  %s\n' "$2" "$T/$package" | sha256sum --check --quiet
	(cd "$T" && ar x "$package" data.tar.xz && mkdir git && tar -xJf data.tar.xz -C git)
	export PATH=$T/git/usr/bin:$PATH GIT_EXEC_PATH=$T/git/usr/lib/git-core GIT_TEMPLATE_DIR=$T/git/usr/share/git-core/templates
	printf 'installed: %s from Debian\n' "$1"
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
