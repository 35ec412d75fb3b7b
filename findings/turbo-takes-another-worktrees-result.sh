#!/usr/bin/env bash
# Guess: a linked worktree is a folder of its own to a task runner: what it has not run there it runs. Where a runner does
# share its cache, a hit means that the result would be the same here.
# What happens: Turborepo keeps one cache for all worktrees of a repository, without being told to, and what it compares
# leaves out what git ignores. So a test that fails here, for a `.env` or a generated file of this worktree, is a cache hit
# of another one's pass, exit 0, and a build here is the other's files: values of its `.env` and paths of its folder. That
# is so in the main checkout as well. Nx, asked the same, runs both in each worktree.
# Who it hurts: anyone who gives each agent's worktree a `.env` of its own (a port, a database) and takes `turbo run test` for
# a check, or builds in the main checkout what an agent's worktree has built before.
# What to know: set TURBO_CACHE_DIR to `.turbo/cache`, so that each worktree has its own, or name the ignored files that
# matter in `inputs` or `globalDependencies`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install turbo@2.11.11 nx@24.0.6
own_home
export TURBO_TELEMETRY_DISABLED=1 TURBO_NO_UPDATE_NOTIFIER=1 DO_NOT_TRACK=1 NX_NO_CLOUD=true NX_DAEMON=false NX_TUI=false CI=true

for runner in turbo nx; do
	git init -q -b main "$T/$runner/main"
	cd "$T/$runner/main"
	mkdir -p packages/app
	printf 'node_modules\n.turbo\n.nx\ndist\n.env\n' >.gitignore
	printf '{"name": "repo", "private": true, "packageManager": "npm@11.0.0", "workspaces": ["packages/*"]}\n' >package.json
	printf '{"name": "app", "version": "1.0.0", "scripts": {%s, %s}}\n' \
		'"build": "mkdir -p dist && cp .env dist/env && pwd >dist/made-in"' '"test": "grep -q PORT=5001 .env"' \
		>packages/app/package.json
	printf '{"tasks": {"build": {"outputs": ["dist/**"]}, "test": {}}}\n' >turbo.json
	printf '{"targetDefaults": {"build": {"cache": true, "outputs": ["{projectRoot}/dist"]}, "test": {"cache": true}}}\n' >nx.json
	npm install --package-lock-only --no-audit --no-fund --loglevel=error --offline >"$T/npm.log"
	git add .
	git commit -qm start
	port=5000
	for worktree in main one two; do
		[ "$worktree" = main ] || git worktree add -q "../$worktree"
		# As an installation in each would: Nx is looked for there.
		ln -s "$T/node_modules" "../$worktree/node_modules"
		printf 'PORT=%s\n' "$((port++))" >"../$worktree/packages/app/.env"
	done

	try() {
		cd "$T/$runner/$1"
		local test=passes made_in
		case $runner in
			turbo) turbo run test >"$T/out" 2>&1 || test=fails && turbo run build >>"$T/out" 2>&1 ;;
			nx) nx run-many -t test >"$T/out" 2>&1 || test=fails && nx run-many -t build >>"$T/out" 2>&1 ;;
		esac
		made_in=$(cat packages/app/dist/made-in)
		made_in=${made_in#"$T/$runner/"}
		printf 'test %s, build of %s with %s' "$test" "${made_in%%/*}" "$(cat packages/app/dist/env)"
	}

	same "$runner: in one" 'test passes, build of one with PORT=5001' "$(try one)"
	if [ "$runner" = turbo ]; then
		same 'turbo: in two' 'test passes, build of one with PORT=5001' "$(try two)"
		same 'turbo: in main' 'test passes, build of one with PORT=5001' "$(try main)"
		same 'turbo: it says' '1 cached, 1 total' "$(grep -o '1 cached, 1 total' "$T/out" | sort -u)"
		same 'turbo: in two with a cache of its own' 'test fails, build of two with PORT=5002' \
			"$(TURBO_CACHE_DIR=.turbo/cache try two)"
	else
		same 'nx: in two' 'test fails, build of two with PORT=5002' "$(try two)"
		same 'nx: in main' 'test fails, build of main with PORT=5000' "$(try main)"
	fi
done
