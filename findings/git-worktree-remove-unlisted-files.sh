#!/usr/bin/env bash
# Guess: without --force `git worktree remove` refuses a worktree with a file that git doesn't know: the manual says that only
# those without untracked files are removed. `status.showUntrackedFiles=no`, which the manual of `git
# status` offers to those whose repository is large, is about what is shown.
# What happens: the command looks by way of `git status`, with the person's setting. Nothing is listed, so the worktree
# counts as clean: its new files are deleted, no word, exit 0. (Git 2.55 does the same.)
# Who it hurts: anyone who lets `git worktree remove` decide whether an agent has left work behind. A new file that was never
# added is what agents leave most, and nothing has a copy of it.
# What to know: look before by `git status --porcelain --untracked-files=normal`, or remove by
# `git -c status.showUntrackedFiles=normal worktree remove`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_39
git init -q -b main "$T/repo"
cd "$T/repo"
git commit -qm start --allow-empty

# Removes a new worktree in which a file was written, and says how that went.
remove() {
	git worktree add -q --detach "$T/linked"
	echo "the only copy" >"$T/linked/new.txt"
	local said code=0
	said=$(git "$@" worktree remove "$T/linked" 2>&1) || code=$?
	printf 'exit %s, %s, %s' "$code" "${said:-silence}" "$([ -e "$T/linked/new.txt" ] && echo kept || echo gone)"
	[ ! -e "$T/linked" ] || git worktree remove --force "$T/linked"
}
refused="exit 128, fatal: '$T/linked' contains modified or untracked files, use --force to delete it, kept"

same 'as git comes' "$refused" "$(remove)"
git config --global status.showUntrackedFiles no
same 'with showUntrackedFiles=no' 'exit 0, silence, gone' "$(remove)"
same 'asked for untracked files' "$refused" "$(remove -c status.showUntrackedFiles=normal)"
