#!/usr/bin/env bash
# Guess: `git history fixup` rewrites the branches that contain a commit, as its manual says, but not one that another
# worktree has checked out: git refuses to move that by `git branch -f` and `git fetch`, and `git rebase --update-refs`
# passes over it. So the same for `git replay`, which since 2.53 moves branches by itself.
# What happens: both move the branch under the other worktree, whose files and index stay as they were, and its reflog of
# HEAD has no line on it. There the fix is now a staged removal of the fix. The next commit there carries it along, and
# when that branch is merged, the fix is gone from main too: no conflict, exit 0.
# Who it hurts: anyone who amends a commit from which agents have started, while they work: each of them takes the amendment
# back by its next commit, and nothing in its own work says so.
# What to know: `git history fixup --update-refs=head` moves only the branch of this worktree; so does `git rebase`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q -b main "$T/repo"
cd "$T/repo"
echo 'limit = 10' >limits
git add .
git commit -qm limits
echo 1 >readme
git add .
git commit -qm readme
git worktree add -q -b agent "$T/agent"
echo half >"$T/agent/work"
git -C "$T/agent" add work

words() { "$@" 2>&1 | grep -o 'used by worktree\|refusing to fetch' | head -n 1 || true; }
tip() { git rev-parse agent; }
before=$(tip)
git tag older HEAD~1
same 'git branch -f' 'used by worktree' "$(words git branch -f agent older)"
same 'git fetch' 'refusing to fetch' "$(words git fetch . +older:agent)"
same 'after both the branch of the other worktree is' "$before" "$(tip)"
same 'its changes' 'A  work' "$(git -C "$T/agent" status --short)"

echo 'limit = 100' >limits
git add limits
git history fixup HEAD~1
same 'after git history fixup it holds' 'limit = 100' "$(git show agent:limits)"
same 'the files of its worktree' 'limit = 10' "$(cat "$T/agent/limits")"
same 'its changes' $'M  limits\nA  work' "$(git -C "$T/agent" status --short)"
same "newest line of its HEAD's reflog" "$before" "$(cut -d ' ' -f 2 .git/worktrees/agent/logs/HEAD | tail -n 1)"
git -C "$T/agent" commit -qm work
git merge -q agent
same 'main after the merge of its commit' 'limit = 10' "$(git show main:limits)"

git switch -qc base HEAD~1
echo 2 >readme
git commit -qam 'another readme'
git replay --onto base agent~1..agent
same 'after git replay its changes are' 'M  readme' "$(git -C "$T/agent" status --short)"
