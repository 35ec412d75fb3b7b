#!/usr/bin/env bash
# Guess: `tsc -b` may skip what it has checked before, and knows by its build info file, which holds a hash of each source
# file. If that file comes from elsewhere, the hashes don't fit, and the code is checked.
# What happens: the hashes are read only where a source file is newer than the build info file. Where none is, the project
# is "up to date", whatever it holds. Vite's templates keep the file in node_modules, and a worktree that borrows its
# node_modules by a link has the build info of anyone who checked last: an error written before that is passed over, exit 0,
# by TypeScript 5.9, 6.0 and 7.0. A plain `cp -r` of node_modules into a worktree that is there already does the same.
# Who it hurts: anyone who lends node_modules to the worktrees of agents and merges what `tsc -b` lets pass.
# What to know: give each worktree node_modules of its own, copied with `cp -a` at most, or run `tsc -b --force` or
# `tsc --noEmit -p` as the check. `incremental` or `composite` in the project, which monorepos need, opens the gap.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install typescript-5@npm:typescript@5.9.3 typescript-6@npm:typescript@6.0.3 typescript-7@npm:typescript@7.0.2 create-vite@9.3.0
own_home
same 'build info file of the template react-ts' ./node_modules/.tmp/tsconfig.app.tsbuildinfo \
	"$(sed -n 's/.*"tsBuildInfoFile": "\(.*\)".*/\1/p' "$T/node_modules/create-vite/template-react-ts/tsconfig.app.json")"

check() { (cd "$1" && "$bin/tsc" "${@:2}" >"$T/out" 2>&1) && echo passes || grep -o 'TS2322' "$T/out"; }
reason() { (cd "$1" && "$bin/tsc" -b --verbose) | grep -o 'is up to date because newest input'; }

for version in 5 6 7; do
	mkdir "$T/v$version"
	cd "$T/v$version"
	bin=$T/node_modules/typescript-$version/bin
	printf 'TypeScript %s\n' "$("$bin/tsc" --version)"
	git init -q -b main main
	mkdir main/src main/node_modules
	printf 'node_modules\n' >main/.gitignore
	printf '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}\n' >main/tsconfig.json
	cat >main/tsconfig.app.json <<-'JSON'
		{
			"compilerOptions": {
				"tsBuildInfoFile": "./node_modules/.tmp/tsconfig.app.tsbuildinfo", "incremental": true, "noEmit": true,
				"target": "es2023", "lib": ["es2023"], "module": "esnext", "moduleResolution": "bundler", "types": []
			},
			"include": ["src"]
		}
	JSON
	printf 'export const count: number = 1;\n' >main/src/count.ts
	git -C main add .
	git -C main commit -qm start
	for worktree in good bad copied kept; do git -C main worktree add -q "../$worktree"; done

	ln -s ../main/node_modules good/node_modules
	ln -s ../main/node_modules bad/node_modules
	for worktree in bad copied kept; do printf 'export const count: number = "two";\n' >"$worktree/src/count.ts"; done
	sleep 1.1
	same 'the worktree whose code is right: tsc -b' passes "$(check good -b)"
	same 'the other, whose code was wrong before that: tsc -b' passes "$(check bad -b)"
	same 'its reason' 'is up to date because newest input' "$(reason bad)"
	same 'tsc -p in the same worktree' TS2322 "$(check bad --noEmit -p tsconfig.app.json)"
	same 'tsc -b --force in the same worktree' TS2322 "$(check bad -b --force)"

	same 'the main worktree: tsc -b' passes "$(check main -b)"
	touch bad/src/count.ts copied/src/count.ts kept/src/count.ts
	sleep 1.1
	cp -r main/node_modules copied/
	cp -a main/node_modules kept/
	same 'after cp -r of its node_modules: tsc -b' passes "$(check copied -b)"
	same 'after cp -a of its node_modules: tsc -b' TS2322 "$(check kept -b)"
	sleep 1.1
	printf '\n' >>copied/src/count.ts
	same 'after one more change there: tsc -b' TS2322 "$(check copied -b)"
done
