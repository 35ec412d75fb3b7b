#!/usr/bin/env bash
# Guess: agents' worktrees may be in the checkout, in a folder that `.gitignore` names (`.worktrees/`): to checks that run in the
# checkout they aren't there, as node_modules isn't.
# What happens: Vitest and Jest run the tests of each worktree with those of the checkout, and ESLint checks them; `vitest run -u` and
# `eslint --fix` in the checkout write into them. Node's runner and tsc pass over a folder with a dot, and take one without.
# Prettier and oxlint heed `.gitignore`. Biome checks nothing at all any more: it ends with 1, since it found a second root
# configuration, unless its own `vcs` is turned on.
# Who it hurts: people whose own tests fail because of what an agent has just half written, or whose update of snapshots
# accepts what the agent broke; and agents under whose hands files change.
# What to know: keep worktrees outside of the checkout; or exclude the folder in Vitest, Jest and ESLint, and set Biome's
# `vcs.useIgnoreFile`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 vitest@5.1.2 jest@30.5.2 eslint@10.15.0 typescript@7.0.2 prettier@3.10.1 oxlint@1.94.0 @biomejs/biome@2.6.8
own_home
install_git_2_39
mkdir "$T/repo"
cd "$T/repo"
git init -q -b main
printf '.worktrees/\nworktrees/\n' >.gitignore
printf '{"private": true, "type": "module"}\n' >package.json
printf '{"compilerOptions": {"noEmit": true, "types": []}}\n' >tsconfig.json
printf "export default [{rules: {'no-var': 'error'}}];\n" >eslint.config.js
printf '{"root": true, "formatter": {"enabled": false}, "assist": {"enabled": false}}\n' >biome.json
printf 'export const size: number = 1;\n' >size.ts
printf "import {test} from 'node:test';\nconsole.log(import.meta.filename);\ntest('one', () => {});\n" >node.test.js
mkdir unit
printf "import {expect, test} from 'vitest';\ntest('two', () => expect('old').toMatchSnapshot());\n" >unit/two.test.js
printf 'var a = 1;\nexport {a};\n' >a.js
git add .
git commit -q -m start
git worktree add -q -b dot .worktrees/one
git worktree add -q -b plain worktrees/one
# An agent at work: the types are wrong, and what is tested is another.
for folder in .worktrees/one worktrees/one; do
	printf "export const size: number = 'one';\n" >"$folder/size.ts"
	printf "import {expect, test} from 'vitest';\ntest('two', () => expect('new').toMatchSnapshot());\n" >"$folder/unit/two.test.js"
done

# In which of the three places a tool's output names a file.
places() {
	local output=$1 file=$2
	grep -q "\.worktrees/one/$file" <<<"$output" && printf '.worktrees '
	grep -Eq "(^|[^.])worktrees/one/$file" <<<"$output" && printf 'worktrees '
	grep -E "(^|[^a-z])$file" <<<"$output" | grep -qv "worktrees/one/" && printf 'checkout'
	return 0
}
all='.worktrees worktrees checkout'
same 'Vitest' "$all" "$(places "$(vitest list --filesOnly)" unit/two.test.js)"
same 'Jest' "$all" "$(places "$(jest --listTests 2>/dev/null)" unit/two.test.js)"
same 'ESLint' "$all" "$(places "$(eslint . | grep '\.js$')" a.js)"
same 'tsc' 'worktrees checkout' "$(places "$(tsc --listFilesOnly)" size.ts)"
same "Node's runner" 'worktrees checkout' "$(places "$(node --test --test-reporter=tap 2>&1)" node.test.js)"
# Prettier names what isn't formatted: node.test.js has no spaces within its braces.
same 'Prettier' 'checkout' "$(places "$(prettier --list-different . || true)" node.test.js)"
same 'oxlint' 'checkout' "$(places "$(oxlint -D no-var --format unix || true)" a.js)"
same 'Biome, its exit code' 1 "$(biome lint >"$T/biome.log" 2>&1 && echo 0 || echo $?)"
same 'Biome, why' yes "$(grep -q 'nested root configuration' "$T/biome.log" && echo yes || cat "$T/biome.log")"

CI=1 vitest run unit -u >"$T/vitest.log" 2>&1
for folder in . .worktrees/one; do
	same "a snapshot in $folder after vitest -u in the checkout" yes "$([ -f "$folder/unit/__snapshots__/two.test.js.snap" ] && echo yes || echo no)"
done
eslint --fix .
same 'a.js of the worktree after eslint --fix in the checkout' 'let a = 1;' "$(head -1 .worktrees/one/a.js)"
