#!/usr/bin/env bash
# Guess: a copy of the index, used by GIT_INDEX_FILE, sees the same changes as the index. So one takes a picture of a worktree
# without touching the person's index: copy it, `git add -A` and `git write-tree` with the copy.
# What happens: an edit that keeps a file's size and was made in the second in which the index was written is missing. Git
# compares times by the second, and looks into a file only if its time isn't before that of the index file itself; the copy is
# a newer file. `git status` shows the edit, and with the copy there is none; the tree holds the old content.
# Who it hurts: anyone who makes checkpoints of agents' work: an agent that stages or commits and edits on in the same second
# (`true` and `null`, a digit, a letter), whose checkpoint lacks the edit. Brought back, the file is the old one.
# What to know: keep the time (`cp -p`, utimes), or begin with an empty index and `git read-tree`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q -b main "$T/repo"
cd "$T/repo"
export GIT_OPTIONAL_LOCKS=0

# Commits a file and edits it in the second in which the index was written; tries again if that second ended meanwhile.
seconds() { stat --format=%Y file .git/index | sort -u; }
until [ -e .git/index ] && [ "$(seconds | wc -l)" = 1 ]; do
	echo 'limit = 10' >file
	git add .
	git commit -qm start --allow-empty
	echo 'limit = 99' >file
done
written=$(seconds)
until [ "$(date +%s)" -gt "$written" ]; do sleep 0.1; done

# The file as a picture has it that is taken with this index.
picture() {
	export GIT_INDEX_FILE=$1
	git add -A
	git show "$(git write-tree):file"
}

same 'git status' ' M file' "$(git status --short)"
cp .git/index "$T/copy"
same 'git status with a copy of the index' '' "$(GIT_INDEX_FILE=$T/copy git status --short)"
same 'a picture with the copy' 'limit = 10' "$(picture "$T/copy")"
same 'once more' 'limit = 10' "$(picture "$T/copy")"
cp -p .git/index "$T/copy"
same 'with a copy that kept its time' 'limit = 99' "$(picture "$T/copy")"
GIT_INDEX_FILE=$T/new git read-tree HEAD
same 'with a new index' 'limit = 99' "$(picture "$T/new")"
