#!/usr/bin/env bash
# Guess: a `git worktree add ../agent` that fails leaves nothing: git removes the folder that it has begun. So one mends the
# cause and tries again, and the worktree begins at HEAD, as the manual says.
# What happens: the branch agent stays. The second try doesn't make it anew but checks it out, exit 0, so that the worktree
# begins at the commit of the first one, however old that is by now. With `-b agent` the second try ends with 255, "already
# exists", and so do all later ones.
# Who it hurts: anyone who makes worktrees by program, where a filter (Git LFS, git-crypt) or a full disk makes one fail now and
# then: the agent works on yesterday's code, and a loop that tries again with -b never gets one.
# What to know: `git worktree add -B agent ../agent BASE` says both; or delete the branch after each failure.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q -b main "$T/repo"
cd "$T/repo"
echo 1 >file
git add .
git commit -qm old
git config filter.store.smudge "test -e '$T/reachable' && cat"
git config filter.store.clean cat
git config filter.store.required true
echo 'file filter=store' >.git/info/attributes

# Makes a worktree, and says how that ended and at which commit it is.
made() {
	local code=0
	git worktree add -q "$@" >"$T/log" 2>&1 || code=$?
	printf 'exit %s, %s' "$code" "$(git -C "$T/agent" log -1 --format=%s 2>/dev/null || echo no folder)"
}
same 'a worktree whose files a filter cannot get' 'exit 128, no folder' "$(made "$T/agent")"
same 'branches' $'agent\nmain' "$(git branch --format '%(refname:short)')"
git commit -q --allow-empty -m new
same 'the same with -b' 'exit 255, no folder' "$(made -b agent "$T/agent")"
: >"$T/reachable"
same 'once the filter can get them, with -b' 'exit 255, no folder' "$(made -b agent "$T/agent")"
same 'without' 'exit 0, old' "$(made "$T/agent")"
git worktree remove "$T/agent"
same 'with -B and the base' 'exit 0, new' "$(made -B agent "$T/agent" main)"
