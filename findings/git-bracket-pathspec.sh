#!/usr/bin/env bash
# Guess: 'app/[id]/page.tsx' is the name of a tracked file, so a git command that is given this path works on this file.
# What happens: the path is a pattern as well, and [id] matches a folder "i" or "d". add, diff and stash take the files
# of all three folders. restore leaves the other two alone here, so trying it once with restore proves nothing.
# Who it hurts: anyone who stages, shows or puts away "one file" of an agent's work by its path in a project with routes
# like [id] (Next.js, SvelteKit, Nuxt, Astro).
# What to know: set GIT_LITERAL_PATHSPECS=1 or write ':(literal)…' wherever a path comes from git itself.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_39
git init -q -b main "$T/repo"
cd "$T/repo"
files=('app/[id]/page.tsx' app/d/page.tsx app/i/page.tsx)
mkdir -p 'app/[id]' app/d app/i
for file in "${files[@]}"; do echo one >"$file"; done
git add .
git commit -qm one
all=$(printf '%s\n' "${files[@]}")

change() {
	git reset -q --hard
	for file in "${files[@]}"; do echo "changed by $1" >"$file"; done
}

change diff
same 'diff shows' "$all" "$(git diff --name-only -- 'app/[id]/page.tsx')"
change add
git add -- 'app/[id]/page.tsx'
same 'add stages' "$all" "$(git diff --cached --name-only)"
change stash
git stash push -q -- 'app/[id]/page.tsx'
same 'stash push puts away' "$all" "$(git stash show --name-only)"
change restore
git restore -- 'app/[id]/page.tsx'
same 'restore leaves' $'app/d/page.tsx\napp/i/page.tsx' "$(git diff --name-only)"
change literal
same 'diff shows with GIT_LITERAL_PATHSPECS=1' 'app/[id]/page.tsx' \
	"$(GIT_LITERAL_PATHSPECS=1 git diff --name-only -- 'app/[id]/page.tsx')"
