#!/usr/bin/env bash
# Guess: in a worktree whose node_modules is a link to the checkout's, `npm ci` removes the link, as its warning "Removing
# non-directory …/node_modules" says, and installs into a folder of the worktree's own.
# What happens: before that it removes everything in the folder that the link leads to, by npm 10, 11 and 12: the checkout
# has an empty node_modules, exit 0. `npm install`, and a frozen install of pnpm, Yarn 1 or Bun, leave it filled.
# Who it hurts: anyone who lends node_modules to an agent's worktree, as some worktree tools do: the agent, or its project's
# setup, runs `npm ci`, and the person's own servers, editors and the other agents' checks lose their packages meanwhile.
# What to know: copy node_modules into worktrees, or install there; don't link it where somebody may run `npm ci`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install npm-10@npm:npm@10.9.4 npm-11@npm:npm@11.6.2 npm-12@npm:npm@12.2.2 pnpm@12.21.0 yarn@1.22.22 bun@1.4.5
registry=$(npm config get registry)
own_home
export npm_config_registry=$registry npm_config_update_notifier=false
modules=$T/node_modules

# Makes a project whose package is a folder within it, so that nothing is fetched, and a worktree with a link.
make() {
	mkdir -p "$T/$1/main/lib"
	cd "$T/$1/main"
	git init -q -b main .
	printf 'node_modules\n' >.gitignore
	printf '{"name": "demo", "version": "1.0.0", "private": true, "dependencies": {"lib": "file:lib"}}\n' >package.json
	printf '{"name": "lib", "version": "1.0.0"}\n' >lib/package.json
	"${@:2}" >"$T/log" 2>&1 || { cat "$T/log" >&2; return 1; }
	git add .
	git commit -qm start
	git worktree add -q ../worktree
	touch node_modules/canary
	ln -s ../main/node_modules ../worktree/node_modules
	cd ../worktree
}

left() { ls -A "$T/$1/main/node_modules" | grep -v '^\.' | paste -sd ' '; }
linked() { [ -L "$T/$1/worktree/node_modules" ] && echo 'a link' || echo 'a folder'; }

for version in 10 11 12; do
	npm=("node" "$modules/npm-$version/bin/npm-cli.js")
	printf 'npm %s\n' "$("${npm[@]}" --version)"
	make "ci-$version" "${npm[@]}" install
	same 'the checkout before' 'canary lib' "$(left "ci-$version")"
	"${npm[@]}" ci >"$T/log" 2>&1
	same 'its warning' 'Removing non-directory' "$(grep -o 'Removing non-directory' "$T/log")"
	same 'the worktree after npm ci has' 'a folder' "$(linked "ci-$version")"
	same 'the checkout after npm ci' '' "$(left "ci-$version")"
	make "install-$version" "${npm[@]}" install
	"${npm[@]}" install >"$T/log" 2>&1
	same 'the checkout after npm install' 'canary lib' "$(left "install-$version")"
done

for tool in pnpm yarn bun; do
	program=$modules/.bin/$tool
	make "$tool" "$program" install
	code=0
	"$program" install --frozen-lockfile </dev/null >"$T/log" 2>&1 || code=$?
	same "the checkout after a frozen install of $tool $("$program" --version), exit $code" 'canary lib' "$(left "$tool")"
done
