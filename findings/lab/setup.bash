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
