#!/usr/bin/env bash
# Guess: `--changed` of a checker means all that the branch and the folder have changed since main: what is committed, staged, edited and
# new. So it is with Vitest's `--changed main`, Jest's `--changedSince=main` and Playwright's `--only-changed=main`, and so an agent
# can check its work by `biome check --changed` before it commits.
# What happens: Biome takes what is committed on the branch, and nothing else. Before the first commit it checks no file: an error, or
# with `--no-errors-on-unmatched`, as scripts have it, exit 0. After a commit it checks the files of the commit as they are in the
# folder, and passes over each other file that is edited or new. `--staged` is only what is staged.
# Who it hurts: agents, hooks and supervisors that run it in a worktree whose work is committed later: it passes, and the faults are in.
# What to know: give Biome the files: `git diff --name-only --diff-filter=d main` and `git ls-files --others --exclude-standard`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @biomejs/biome@2.6.8 vitest@5.1.2 jest@30.5.2 @playwright/test@1.65.1
own_home
install_git_2_39
mkdir "$T/repo"
cd "$T/repo"
git init -q -b main
printf '{"private": true, "type": "module"}\n' >package.json
printf '{"vcs": {"enabled": true, "clientKind": "git", "defaultBranch": "main"}, "linter": {"includes": ["code/*"]}}\n' >biome.json
printf "export default {testDir: 'playwright'};\n" >playwright.config.js
mkdir code vitest playwright
add() {
	printf 'export const a = 1;\n' >"code/$1.js"
	printf "import {test} from 'vitest';\nimport '../code/%s.js';\ntest('%s', () => {});\n" "$1" "$1" >"vitest/$1.test.js"
	printf "import {test} from '@playwright/test';\nimport '../code/%s.js';\ntest('%s', () => {});\n" "$1" "$1" >"playwright/$1.spec.js"
}
for name in committed edited same staged; do add $name; done
git add .
git commit -q -m start
git worktree add -q -b work "$T/work"
cd "$T/work"
change() { printf 'debugger;\nexport const a = 2;\n' >"code/$1.js"; }
# Which of the files, or the tests that import them, a tool's output names.
names() { { grep -oE '(code|vitest|playwright|^ *)/?(committed|edited|new|same|staged)\.(js|test|spec)' || true; } | sed -E 's/\.[a-z]+$//; s/.*[/ ]//' | sort -u | paste -sd' '; }
biome() { NO_COLOR=1 "$T/node_modules/.bin/biome" lint --max-diagnostics=none "$@" 2>&1; }

for name in committed edited staged; do change $name; done
same 'Biome before the first commit: its exit code' 0 "$(biome --changed --no-errors-on-unmatched >"$T/log" && echo 0 || echo $?)"
same 'Biome before the first commit: files' 'Checked 0 files' "$(grep -o 'Checked [0-9]* files*' "$T/log")"

git commit -q -m work code/committed.js
git add code/staged.js
add new
change new
all='committed edited new staged'
same 'Biome --changed' 'committed' "$(biome --changed | names)"
same 'Biome --staged' 'staged' "$(biome --staged | names)"
same 'Vitest --changed main' "$all" "$(vitest list vitest --changed main --filesOnly | names)"
same 'Jest --changedSince=main' "$all" "$(jest --changedSince=main --listTests 2>"$T/log" | names)"
same 'Playwright --only-changed=main' "$all" "$(playwright test --only-changed=main --list | names)"
