#!/usr/bin/env bash
# Guess: `git format-patch` writes a commit and `git am` makes the same commit of it, or an error: that is what they are for,
# and format-patch can quote what would be ambiguous in a mail.
# What happens: a line `---` in the message, which is a rule in Markdown, ends the message, exit 0. All below it is gone, with
# the trailers at the end: Co-authored-by, Signed-off-by, Change-Id. And "[api] fix it" becomes "fix it", since brackets in
# front are taken for the mail's own. `git rebase --apply`, which works by patches too, keeps both.
# Who it hurts: whoever takes agents' commits out of a sandbox or a container as patches, as a folder of files is the simplest
# way out: what an agent wrote about its work is cut where it drew a line, and who wrote it is gone.
# What to know: `git bundle create`, or `git fetch` from the sandbox's folder. `git am --keep-non-patch` keeps the brackets
# only.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_newer_git git=2.55.0-1 9a1ece2d830d6bbd235f237adf1ea5a5b3bb714aff79f1048a55039fea7d3e64
git --version
git init -q -b main "$T/repo"
cd "$T/repo"
echo 1 >file
git add .
git commit -qm start
git branch copy
echo 2 >file
git commit -qaF - <<'MESSAGE'
[api] fix it

Summary

---

Details

Co-authored-by: Agent <agent@example.com>
MESSAGE
message() { git log -1 --format=%B "$@" | sed '/^$/d' | paste -s -d '|'; }
all='[api] fix it|Summary|---|Details|Co-authored-by: Agent <agent@example.com>'
same 'message' "$all" "$(message)"
git format-patch -q -1 -o "$T/patches"
git switch -q copy
git am -q "$T"/patches/*
same 'files of both commits' '' "$(git diff main)"
same 'message of the copy' 'fix it|Summary' "$(message)"
git reset -q --hard HEAD~1
git am -q --keep-non-patch "$T"/patches/*
same 'with --keep-non-patch' '[api] fix it|Summary' "$(message)"
git commit -q --allow-empty -m unrelated
git switch -q main
git branch quiet HEAD~1
git rebase -q --apply --force-rebase HEAD~1
same 'after git rebase --apply' "$all" "$(message)"
