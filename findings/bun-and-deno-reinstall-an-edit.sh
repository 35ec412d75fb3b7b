#!/usr/bin/env bash
# Guess: what is edited in a worktree's node_modules concerns that worktree; and where a package manager shares files between
# folders, it knows by the hashes in its lock file that one was changed, and a clean install puts the original back.
# What happens: with Bun and Deno the edit is in the node_modules of all other folders, and in each later install, of new
# folders too. Removing node_modules and installing anew brings the edit back, exit 0, and Bun's --force and --no-cache do as
# well. With pnpm other folders have it until they are installed anew, which finds and mends it.
# Who it hurts: agents put a line into a dependency to see what is wrong, or mend it there: from then on every project of that
# person runs it. Tests pass that fail elsewhere, and the usual way out, a clean install, changes nothing.
# What to know: `bun pm cache rm` before the install, or `deno install --reload`; `bun install --backend=copyfile` shares
# nothing.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 bun@1.4.5 deno@2.9.6 pnpm@12.21.0
own_home
for manager in bun deno pnpm; do printf '%s %s\n' "$manager" "$("$manager" --version | head -n 1)"; done

# Installs one package in this folder, anew if it was there.
fresh() {
	mkdir -p "$T/$2"
	cd "$T/$2"
	rm -rf node_modules
	echo '{"private": true, "dependencies": {"is-odd": "3.0.1"}}' >package.json
	echo '{"nodeModulesDir": "manual"}' >deno.json
	"$1" install "${@:3}" >"$T/log" 2>&1 || cat "$T/log"
}
# Whether the edit is in this folder.
edited() { grep -q '^// edited' "$T/$1/node_modules/is-odd/index.js" && echo edited || echo original; }
for manager in bun deno pnpm; do
	fresh "$manager" "$manager-one"
	fresh "$manager" "$manager-two"
	sleep 1
	echo '// edited' >>"$T/$manager-one/node_modules/is-odd/index.js"
	seen=$(edited "$manager-two")
	fresh "$manager" "$manager-new"
	seen="$seen, $(edited "$manager-new")"
	fresh "$manager" "$manager-two"
	seen="$seen, $(edited "$manager-two")"
	printf '%s: %s\n' "$manager" "$seen"
done >"$T/seen"
same 'another folder, a new one, and the other one anew' 'bun: edited, edited, edited
deno: edited, edited, edited
pnpm: edited, original, original' "$(cat "$T/seen")"
fresh bun bun-two --force
same 'bun install --force' 'edited' "$(edited bun-two)"
fresh bun bun-two --force --no-cache
same 'with --no-cache' 'edited' "$(edited bun-two)"
bun pm cache rm >"$T/log"
fresh bun bun-two
same 'after bun pm cache rm' 'original' "$(edited bun-two)"
fresh bun bun-one --backend=copyfile
echo '// edited' >>"$T/bun-one/node_modules/is-odd/index.js"
fresh bun bun-new
same 'after an edit where --backend=copyfile was given' 'original' "$(edited bun-new)"
fresh deno deno-two --reload
same 'deno install --reload' 'original' "$(edited deno-two)"
