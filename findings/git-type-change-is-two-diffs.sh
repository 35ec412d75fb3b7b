#!/usr/bin/env bash
# Guess: each changed path is one entry of `git diff --raw`, one of --numstat, and one "diff --git" section of the patch.
# What happens: a file that becomes a symbolic link (or the other way round) is one entry with status T in --raw and one
# in --numstat, and two sections of the patch: the old file is deleted, then a new one is created at the same path.
# `git apply --numstat` on that very patch counts two entries as well.
# Who it hurts: programs that pair the n-th section with the n-th entry, that keep sections in a map by path and lose
# the first, or that show such a file as deleted.
# What to know: join sections by path, and let a second section for a path add to the first.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_39
git init -q -b main "$T/repo"
cd "$T/repo"
printf 'a\nb\n' >settings
git add settings
git commit -qm 'A file'
rm settings
ln -s shared/settings settings
git commit -qam 'A link'

git diff HEAD~ HEAD
same 'entries of --raw' 'T settings' "$(git diff --raw HEAD~ HEAD | awk '{print $5, $6}')"
same 'entries of --numstat' $'1\t2\tsettings' "$(git diff --numstat HEAD~ HEAD)"
same 'sections of the patch' 2 "$(git diff HEAD~ HEAD | grep -c '^diff --git a/settings b/settings$')"
same 'entries of apply --numstat for this patch' $'0\t2\tsettings\n1\t0\tsettings' \
	"$(git diff HEAD~ HEAD | git apply --numstat)"
