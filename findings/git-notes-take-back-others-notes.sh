#!/usr/bin/env bash
# Guess: notes are kept in a ref, and git moves a ref only from the value that it read, as `git commit` does: where it was moved
# meanwhile, `git notes add` and `git notes edit` fail, or they join both changes, since each note is a file of its own.
# What happens: the notes are read before the editor opens and written when it is closed, whatever was added meanwhile and to
# whichever commit. The new commit of refs/notes/commits has the others' as its parent, and deletes their notes: exit 0 without
# a word on either side.
# Who it hurts: tools that record in notes which lines an agent wrote, what a review or a check said: while a person has a note
# open in an editor, each note that is written in all worktrees is deleted when the person saves.
# What to know: write the text first, and then `git notes add -F FILE`, which takes a moment. What was lost is in `git log -p
# refs/notes/commits`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55

git init -q -b main "$T/repo"
cd "$T/repo"
git commit -q --allow-empty -m one
git commit -q --allow-empty -m two
git worktree add -q --detach "$T/other"

notes() { git log --reverse --format='%s: %N' | sed '/^$/d'; }
cat >"$T/editor" <<SH
#!/bin/sh
git -C "$T/other" notes add -m 'by the agent' HEAD~1
git -C "$T/other" log --reverse --format='%s: %N' | sed '/^\$/d' >"$T/meanwhile"
echo 'by the person' >"\$1"
SH
chmod +x "$T/editor"
code=0
GIT_EDITOR=$T/editor git notes add HEAD || code=$?
same 'notes while the editor is open' $'one: by the agent\ntwo: ' "$(cat "$T/meanwhile")"
same 'exit code of git notes add' 0 "$code"
same 'notes afterwards' $'one: \ntwo: by the person' "$(notes)"
same 'the last commit of the notes' $'D\nA' "$(git log -1 --format= --name-status refs/notes/commits | cut -f 1 | sort -r)"
