#!/usr/bin/env bash
# Guess: a rebase keeps the messages of commits; so does `git rebase --continue` after a conflict where the editor changes
# nothing (GIT_EDITOR=:, as agents have it). A # at the start of a line is a comment where git put it, not where the author did.
# What happens: a commit at which the rebase stopped loses each line of its message that begins with #, exit 0: "#42 …" and the
# headings of Markdown. One at which it didn't stop keeps them. So it is with `git cherry-pick --continue`, and with `git commit
# --amend` and such an editor. With commit.cleanup=whitespace, which is said to keep such lines, the rebase keeps git's own too:
# "# Please enter the commit message for your changes" is then part of the message.
# Who it hurts: agents give long messages by `git commit -F` or -m, with headings and references to issues, and nothing is
# dropped then. After a rebase with a conflict the reference is gone, and an issue that was to be closed isn't.
# What to know: write "Fixes #42", and no headings with #; or compare by `git range-diff` after a rebase.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q -b main "$T/repo"
cd "$T/repo"
echo 1 >file
git add .
git commit -qm start
git branch quiet
git switch -qc agent
echo agent >file
printf 'Fix it\n\n# Why\n\n#42 was wrong\nsince then\n' | git commit -qaF -
made=$(git rev-parse HEAD)
git switch -q quiet
git commit -q --allow-empty -m unrelated
git switch -q main
echo main >file
git commit -qam conflict

message() { git log -1 --format=%B | sed '/^$/d' | paste -s -d '|'; }
# Resolves the conflict, has git go on, and says which message the commit has then.
resolved() {
	echo both >file
	git add file
	GIT_EDITOR=: git "$@" --continue >"$T/log" 2>&1
	message
}
all='Fix it|# Why|#42 was wrong|since then'
git switch -q agent
same 'message' "$all" "$(message)"
git rebase -q quiet
same 'after a rebase without a conflict' "$all" "$(message)"
git rebase -q main >"$T/log" 2>&1 || true
same 'after one with a conflict' 'Fix it|since then' "$(resolved rebase)"
git reset -q --hard "$made"
git rebase -q main >"$T/log" 2>&1 || true
resolved -c commit.cleanup=whitespace rebase >"$T/message"
same 'with commit.cleanup=whitespace it has' '# Please enter the commit message' "$(grep -o '# Please enter the commit message' "$T/message")"
git switch -q --detach main
git cherry-pick "$made" >"$T/log" 2>&1 || true
same 'after cherry-pick with a conflict' 'Fix it|since then' "$(resolved cherry-pick)"
git switch -q --detach "$made"
GIT_EDITOR=: git commit -q --amend
same 'after git commit --amend' 'Fix it|since then' "$(message)"
