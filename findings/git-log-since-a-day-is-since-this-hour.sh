#!/usr/bin/env bash
# Guess: `git log --since=2026-11-29` lists what was committed on that day and later, as `--since="2026-11-29 00:00"` does: a
# date without a time is the day's start.
# What happens: it is that day at the present time of day. In the afternoon the morning's commits are missing, in the evening
# almost all of the day is; the same command lists more or less from hour to hour. --until has it as well, so that a report of
# one day is of two halves. The words "yesterday" and "1 day ago" are meant so; the manual doesn't say it of a date.
# Who it hurts: whoever has a script or an agent write a day's report, count commits or look for what came after a release: the
# numbers are too low, by another amount each time, and tests of it pass when they are run early.
# What to know: give a time as well, as in `--since="2026-11-29 00:00"`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_newer_git git=2.55.0-1 9a1ece2d830d6bbd235f237adf1ea5a5b3bb714aff79f1048a55039fea7d3e64
git --version
day=$(date -u -d yesterday +%F)
before=$(date -u -d '2 days ago' +%F)
git init -q -b main "$T/repo"
cd "$T/repo"
commit() { GIT_COMMITTER_DATE="$2" git commit -q --allow-empty -m "$1"; }
commit night "${day}T00:00:00Z"
commit evening "${day}T23:59:59Z"

subjects() { git log --format=%s "$@" | paste -s -d ' '; }
same "--since the day's start" 'evening night' "$(subjects --since="$day 00:00")"
same '--since the day' 'evening' "$(subjects --since="$day")"
same '--since the day, --until the day' '' "$(subjects --since="$day" --until="$day")"
same '--until the day' 'night' "$(subjects --until="$day")"
same '--since the day before' 'evening night' "$(subjects --since="$before")"
