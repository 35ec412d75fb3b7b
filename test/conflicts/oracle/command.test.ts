import {chmodSync, existsSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {
	type Checker,
	cargo,
	goVet,
	javac,
	pyright,
} from '../../../src/conflicts/oracle/command/checkers.ts';
import {commandOracle} from '../../../src/conflicts/oracle/command/command.ts';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {openStore} from '../../../src/git/store/store.ts';
import {type Files, git, makeRepository, temporaryFolder} from '../../helpers/repository.ts';

const ownPath = process.env.PATH;
afterEach(() => {
	process.env.PATH = ownPath;
});

/** Puts a program of that name first on the path; it runs in the root of the tree. */
const install = (name: string, script: string) => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
	chmodSync(join(folder, name), 0o755);
	process.env.PATH = [folder, ownPath].join(delimiter);
};

const ask = async (checker: Checker, files: Files, signal = new AbortController().signal) => {
	const root = makeRepository(files);
	const store = await openStore(join(temporaryFolder(), 'store.git'), await openRepository(root));
	const oracle = await commandOracle(checker).start({store, runsCode: true});
	return (await oracle?.check(git(root, 'rev-parse', 'HEAD^{tree}'), signal))?.errors;
};

test('pyright’s errors are read, and its warnings are not', async () => {
	const error = {severity: 'error', message: 'No parameter named "b"', rule: 'reportCallIssue'};
	const range = {start: {line: 1, character: 0}, end: {line: 1, character: 1}};
	install(
		'pyright',
		`echo "{\\"generalDiagnostics\\": [
			{\\"file\\": \\"$PWD/src/a.py\\", ${JSON.stringify({...error, range})
				.slice(1)
				.replaceAll('"', '\\"')
				.replaceAll('\\\\"', '\\\\\\"')},
			{\\"file\\": \\"$PWD/src/a.py\\", \\"severity\\": \\"warning\\", \\"message\\": \\"unused\\", \\"range\\": {\\"start\\": {\\"line\\": 0}}}]}"; exit 1`,
	);
	expect(await ask(pyright, {'src/a.py': 'a()\n'})).toEqual([
		{path: 'src/a.py', line: 2, code: 'reportCallIssue', text: 'No parameter named "b"'},
	]);
});

test('go’s errors are read from both of its forms, and its headings are not', async () => {
	install(
		'go',
		"echo '# example.com/a\nvet: ./a.go:3:7: undefined: Sum\n./b/b.go:9:2: too many arguments' >&2; exit 1",
	);
	expect(await ask(goVet, {'go.mod': 'module a\n', 'a.go': 'package a\n'})).toEqual([
		{path: 'a.go', line: 3, code: '', text: 'undefined: Sum'},
		{path: 'b/b.go', line: 9, code: '', text: 'too many arguments'},
	]);
});

test('cargo’s errors are read once, however many targets have them', async () => {
	const message = (level: string) =>
		JSON.stringify({
			reason: 'compiler-message',
			message: {
				level,
				message: 'this function takes 2 arguments',
				code: {code: 'E0061'},
				spans: [{file_name: 'src/lib.rs', line_start: 4, is_primary: true}],
			},
		});
	install(
		'cargo',
		`echo '${message('error')}\n${message('error')}\n${message('warning')}\n{"reason":"build-finished"}'; exit 101`,
	);
	expect(await ask(cargo, {'Cargo.toml': '', 'src/lib.rs': ''})).toEqual([
		{path: 'src/lib.rs', line: 4, code: 'E0061', text: 'this function takes 2 arguments'},
	]);
});

test('javac is given each file of the tree', async () => {
	install(
		'javac',
		'for f; do case $f in *.java) echo "$f:1: error: cannot find symbol" >&2;; esac; done; exit 1',
	);
	expect(await ask(javac, {'A.java': '', 'b/B.java': '', 'c.txt': ''})).toEqual([
		{path: 'A.java', line: 1, code: '', text: 'cannot find symbol'},
		{path: 'b/B.java', line: 1, code: '', text: 'cannot find symbol'},
	]);
});

test('a tree that has nothing for a checker does not start it', async () => {
	install('go', 'case $1 in version) echo go1.25.1;; *) exit 7;; esac');
	expect(await ask(goVet, {'a.go': 'package a\n'})).toEqual([]);
	expect(await ask(goVet, {'a.txt': ''})).toEqual([]);
});

test('what can’t be read is no "all is well"', async () => {
	install('go', 'echo "cannot find GOROOT" >&2; exit 2');
	await expect(ask(goVet, {'go.mod': '', 'a.go': ''})).rejects.toThrow(
		'go vet printed nothing that can be read.',
	);
	install('pyright', 'echo nonsense');
	await expect(ask(pyright, {'a.py': ''})).rejects.toThrow(
		'pyright printed nothing that can be read.',
	);
});

test('a checker that hangs ends when its tree is old', async () => {
	install('go', 'case $1 in version) echo go1.25.1;; *) touch "$0.began"; exec sleep 600;; esac');
	const stopped = new AbortController();
	const asked = ask(goVet, {'go.mod': '', 'a.go': ''}, stopped.signal);
	const began = join(process.env.PATH?.split(delimiter)[0] ?? '', 'go.began');
	await expect.poll(() => existsSync(began)).toBe(true);
	stopped.abort(new Error('Its tree is old.'));
	await expect(asked).rejects.toThrow('Its tree is old.');
});

test('one that runs code of the tree is not started where that is not allowed, nor one that isn’t there', async () => {
	install('cargo', 'echo cargo 1.90.0');
	const store = {gitDir: '/nowhere'};
	expect(await commandOracle(cargo).start({store, runsCode: false})).toBeUndefined();
	process.env.PATH = temporaryFolder();
	expect(await commandOracle(pyright).start({store, runsCode: false})).toBeUndefined();
});
