#!/usr/bin/env bash
# Guess: a frozen install is the check of a lock file that was merged by hand or by git: if an entry is gone that another
# one needs, it refuses; and where `--lockfile-only` is there, it says the same without the downloads.
# What happens: npm refuses in `ci` and in `ci --dry-run`. pnpm 10 and 11 refuse as long as they install, and take the same
# file with `--frozen-lockfile --lockfile-only`; pnpm 12 refuses both. Yarn 1 takes it, and asks the registry for the version
# that the lock file doesn't name any more. Bun takes it, and gives the package the other major version that is there.
# Who it hurts: anyone who lets a frozen install decide whether a merged lock file is sound, above all with Bun: what is
# installed is not what any package asked for.
# What to know: have pnpm up to 11 install, not only look. With Yarn 1 and Bun compare the lock file with one that is
# written anew.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 npm@11.19.1 pnpm-10@npm:pnpm@10.34.9 pnpm-11@npm:pnpm@11.28.11 pnpm-12@npm:pnpm@12.21.0 \
	yarn@1.22.22 bun@1.4.5
own_home
export npm_config_update_notifier=false

# Makes a project in which `is-odd` needs another major version of `is-number` than the project itself does.
project() {
	mkdir "$T/$1"
	cd "$T/$1"
	printf '{"name": "shop", "version": "1.0.0", "dependencies": {"is-number": "7.0.0", "is-odd": "3.0.1"}}\n' >package.json
}

# Takes the entry of that version out of the lock file.
without_entry() {
	node -e '
		const fs = require("node:fs");
		const [file, pattern] = process.argv.slice(1);
		const text = fs.readFileSync(file, "utf8");
		const less = text.replaceAll(new RegExp(pattern, "gm"), "");
		if (less === text) throw new Error("nothing was taken out of " + file);
		fs.writeFileSync(file, less);
	' "$@"
	rm -rf node_modules
	cp "$1" before
}

# Says whether a command took the lock file, and which version `is-odd` finds.
try_install() {
	local lock=$1 verdict
	shift
	"$@" >"$T/out" 2>&1 && verdict=takes || verdict=refuses
	cmp -s before "$lock" || verdict="$verdict and writes"
	printf '%s it, is-odd has is-number %s' "$verdict" "$(node -p '
		try {
			const at = require.resolve("is-odd", {paths: [process.cwd()]});
			require(require.resolve("is-number/package.json", {paths: [at]})).version
		} catch { "none" }' 2>/dev/null)"
	rm -rf node_modules
}

project npm
npm install --package-lock-only >/dev/null 2>&1
node -e '
	const lock = require("./package-lock.json");
	delete lock.packages["node_modules/is-odd/node_modules/is-number"];
	require("node:fs").writeFileSync("package-lock.json", JSON.stringify(lock, null, 2));'
cp package-lock.json before
same 'npm ci --dry-run' 'refuses it, is-odd has is-number none' "$(try_install package-lock.json npm ci --dry-run)"
same 'as missing it names' 'is-number@6.0.0' "$(grep -o 'is-number@6.0.0' "$T/out" | sort -u)"
same 'npm ci' 'refuses it, is-odd has is-number none' "$(try_install package-lock.json npm ci)"

for version in 10 11 12; do
	project "pnpm-$version"
	cli=$(node -p "const at = '$T/node_modules/pnpm-$version/'; at + Object.values(require(at + 'package.json').bin)[0]")
	pnpm() { if head -c 64 "$cli" | grep -q node; then node "$cli" "$@"; else "$cli" "$@"; fi; }
	pnpm install --lockfile-only >/dev/null 2>&1
	without_entry pnpm-lock.yaml '^  is-number@6\.0\.0:( \{\}\n|\n(    .*\n)+)\n?'
	[ "$version" = 12 ] && only=refuses || only=takes
	same "pnpm $version install --frozen-lockfile --lockfile-only" "$only it, is-odd has is-number none" \
		"$(try_install pnpm-lock.yaml pnpm install --frozen-lockfile --lockfile-only)"
	same "pnpm $version install --frozen-lockfile" 'refuses it, is-odd has is-number none' \
		"$(try_install pnpm-lock.yaml pnpm install --frozen-lockfile)"
done

project yarn
yarn install >/dev/null 2>&1
without_entry yarn.lock '^is-number@\^6\.0\.0:\n(  .*\n)+\n?'
same 'yarn install --frozen-lockfile' 'takes it, is-odd has is-number 6.0.0' \
	"$(try_install yarn.lock yarn install --frozen-lockfile)"

project bun
bun install >/dev/null 2>&1
without_entry bun.lock '^    "is-odd/is-number": .*\n'
same 'bun install --frozen-lockfile' 'takes it, is-odd has is-number 7.0.0' \
	"$(try_install bun.lock bun install --frozen-lockfile)"
same 'the version that is-odd asks for' '^6.0.0' \
	"$(bun install --frozen-lockfile >/dev/null 2>&1; node -p 'require("is-odd/package.json").dependencies["is-number"]')"
