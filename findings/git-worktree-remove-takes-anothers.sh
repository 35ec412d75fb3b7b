#!/usr/bin/env bash
# Guess: `git worktree remove fix` removes the worktree in the folder fix of the current folder, as `rm -r fix` would. The second
# time it fails, since there is no such folder any more; and so it does where fix is an ordinary folder.
# What happens: git first looks for a worktree anywhere whose path ends with these words, and looks at the folder only if none or
# more than one does. The manual offers such an ending as a short name; it doesn't say that the folder comes second. So the
# second call removes the fix of somebody else, exit 0, without a word; `git worktree move` and `lock` take that one too. With
# --force the changes in it are gone as well. "./fix" means the folder.
# Who it hurts: anyone who lays out worktrees by person or agent, and in them by task or repository (alice/fix, bob/fix): a
# clean-up that runs twice, or after somebody cleaned up by hand, takes the next one's.
# What to know: give full paths to `git worktree`, or begin with "./".
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q -b main "$T/repo"
cd "$T/repo"
echo .trees >.gitignore
git add .
git commit -qm start
git worktree add -q --detach .trees/alice/fix
git worktree add -q --detach .trees/bob/fix
echo edited >.trees/bob/fix/.gitignore
cd .trees/alice

trees() { git worktree list | sed "s|^$T/repo||" | cut -d ' ' -f 1 | paste -s -d ' '; }
# Has git do this, and says how it ended, what it said, and which worktrees there are then.
run() {
	local code=0 words
	words=$(git worktree "$@" 2>&1) || code=$?
	printf 'exit %s, %s; %s' "$code" "${words:-no word}" "$(trees)"
}
same 'worktrees' ' /.trees/alice/fix /.trees/bob/fix' "$(trees)"
same 'remove fix' 'exit 0, no word;  /.trees/bob/fix' "$(run remove fix)"
same 'remove ./fix, once more' "exit 128, fatal: './fix' is not a working tree;  /.trees/bob/fix" "$(run remove ./fix)"
mkdir fix
same 'lock fix, a folder' 'exit 0, no word;  /.trees/bob/fix' "$(run lock fix)"
same 'locked' "locked" "$(git worktree list --porcelain | grep locked)"
same 'unlock fix' 'exit 0, no word;  /.trees/bob/fix' "$(run unlock fix)"
same 'remove --force fix' 'exit 0, no word; ' "$(run remove --force fix)"
same 'folders' 'alice/fix bob' "$(cd .. && ls -d alice/* bob* | paste -s -d ' ')"
