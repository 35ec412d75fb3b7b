#!/usr/bin/env bash
# Guess: a worktree in an ignored folder of the checkout (.worktrees/agent) is checked like every other: its own top is where
# .gitignore files begin to count, as it is for git and for all that ask git.
# What happens: with `useGitignore` CSpell goes on to the checkout's .gitignore, since a top to it has a folder .git, and in a
# linked worktree that is a file. There `.worktrees` is ignored, so it checks no file. With --no-must-find-files, which one
# gives it where a commit may have nothing to check, that is exit 0. Beside the checkout the same worktree is checked.
# Who it hurts: agents, whose worktrees many tools put there: their check of words passes whatever they write, and it fails when
# the branch is merged.
# What to know: give CSpell `--gitignore-root .`, or put worktrees beside the checkout.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 cspell@9.8.0
own_home
install_git_2_55
git init -q -b main "$T/repo"
cd "$T/repo"
echo .worktrees >.gitignore
echo 'A mistaake' >readme.md
echo '{"version": "0.2", "useGitignore": true}' >cspell.json
git add .
git commit -qm start
git worktree add -q .worktrees/agent
git worktree add -q "$T/beside"

# How CSpell ends in a folder, and what it has checked.
checked() {
	local code=0
	(cd "$1" && cspell --no-default-configuration --no-progress --no-color "${@:2}" '*.md' >"$T/log" 2>&1) || code=$?
	printf 'exit %s, %s' "$code" "$(grep -o 'Files checked: .*' "$T/log")"
}
found='Files checked: 1, Issues found: 1 in 1 file.'
none='Files checked: 0, Issues found: 0 in 0 files.'
same 'the checkout' "exit 1, $found" "$(checked .)"
same 'a worktree beside it' "exit 1, $found" "$(checked "$T/beside")"
same 'a worktree in it' "exit 1, $none" "$(checked .worktrees/agent)"
same 'with --no-must-find-files' "exit 0, $none" "$(checked .worktrees/agent --no-must-find-files)"
same 'with --gitignore-root .' "exit 1, $found" "$(checked .worktrees/agent --gitignore-root .)"
same 'what git says of its files' '' "$(git -C .worktrees/agent check-ignore readme.md || true)"
