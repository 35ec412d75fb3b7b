import {readdirSync, readFileSync, statSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {describe, expect, test} from 'vitest';

/** Which rooms a room may import, besides itself; the order of the house is written in src/README.md. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
	lib: [],
	signals: ['lib'],
	events: ['signals', 'lib'],
	state: ['events', 'signals', 'lib'],
	rules: ['events', 'signals', 'state', 'lib'],
	journal: ['events', 'lib'],
	control: ['events', 'lib'],
	git: ['lib'],
	conflicts: ['events', 'git', 'lib'],
	tools: ['signals', 'control', 'lib'],
	agents: ['signals', 'events', 'lib'],
	supervisor: [
		'events',
		'signals',
		'state',
		'rules',
		'journal',
		'control',
		'git',
		'conflicts',
		'tools',
		'agents',
		'lib',
	],
	client: ['events', 'signals', 'state', 'rules', 'journal', 'control', 'lib'],
	tui: ['events', 'signals', 'state', 'rules', 'client', 'lib'],
	web: ['events', 'signals', 'state', 'rules', 'client', 'lib'],
	cli: [
		'tui',
		'web',
		'client',
		'events',
		'signals',
		'state',
		'rules',
		'journal',
		'control',
		'git',
		'conflicts',
		'tools',
		'agents',
		'supervisor',
		'lib',
	],
};

/** What a pure room uses of `lib` is pure as well. */
const pureRooms = ['events', 'signals', 'state', 'rules'];

const impure: readonly (readonly [string, RegExp])[] = [
	['a node: import', /from 'node:/],
	['await', /\bawait\b/],
	['the clock', /\bDate\.now\b|\bnew Date\(\)|\bperformance\./],
	['chance', /\bMath\.random\b|\brandomUUID\b/],
	['process', /\bprocess\./],
];

/** What can start a program, however it is brought in. */
const startingModule =
	/\b(?:from|import|require)\s*\(?\s*'(?:execa|[^']*\/(?:lend-terminal|run-program)\.ts|@lydell\/node-pty|(?:node:)?(?:child_process|cluster))'/;

/** A write to a process that was started; what our own one reads is no such thing. */
const writesToProcess =
	/(?<!process\.)\bstdin\??\.(?:write|end|on|once|pipe)\b|\bpipe(?:line)?\([^)]*(?<!process\.)\bstdin\b|\bstdio\[|\{[^{}]*\bstdin\b[^{}:]*\} = |\bWritable\.toWeb\b|\bchild\.send\(/;

/** Sealed from agents, in the person's checkout, and for what talks to the person itself. */
const gitStarters = [
	'src/git/process/sealed.ts',
	'src/git/process/user.ts',
	'src/git/process/with-terminal.ts',
];

/** Each starts what its name says, and never git. */
const otherStarters = [
	'src/agents/scripted/agent.ts',
	'src/agents/scripted/tool-client.ts',
	'src/agents/spawn-agent.ts',
	'src/cli/doctor/agents.ts',
	'src/cli/doctor/leftovers/compose.ts',
	'src/cli/agent/visit.ts',
	'src/cli/edit-file.ts',
	'src/cli/past-sessions.ts',
	'src/cli/view-image.ts',
	'src/client/supervisor/start-supervisor.ts',
	'src/conflicts/oracle/command/command.ts',
	'src/conflicts/oracle/typescript.ts',
	'src/lib/process/try-command.ts',
	'src/lib/process/try-seatbelt.ts',
	'src/lib/process/desktop-notifier.ts',
	'src/lib/process/kill-stragglers.ts',
	'src/lib/process/lend-terminal.ts',
	'src/lib/process/limits.ts',
	'src/lib/process/port-watch.ts',
	'src/lib/process/process-table.ts',
	'src/lib/process/run-program.ts',
	'src/supervisor/machine/agent-limits.ts',
	'src/supervisor/machine/shell.ts',
];

/** A string that is git's name or path, or in which a shell would start it. */
const saysGit = /['"`](?:[^'"`\n]*[\s;&|({/=])?git(?:['"`\s]|$)/m;

/** A signal, a kind of item, a language or a group of keys: each has the name that its list knows it by, whatever has that name in another list. */
const isEntry =
	/^: (?:Definition<|Language\b|readonly Action\[\])|^ = (?:itemKind<|define(?:Block|ValueLine)\()/;

const filesBelow = (folder: string): readonly string[] =>
	readdirSync(folder).flatMap(name => {
		const path = join(folder, name);
		return statSync(path).isDirectory() ? filesBelow(path) : [path];
	});

const sources = filesBelow('src').filter(path => /\.tsx?$/.test(path));
const textOf = (path: string): string => readFileSync(path, 'utf8');
const withoutComments = (code: string): string => code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
const roomOf = (path: string): string => path.split('/')[1] ?? '';

const importsOf = (path: string): readonly string[] =>
	[...textOf(path).matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, target = '']) =>
		relative(process.cwd(), resolve(path, '..', target)),
	);

const importsBySource = new Map(sources.map(path => [path, importsOf(path)]));

/** All that a file imports, and what that imports, and so on. */
const reachedFrom = (path: string): ReadonlySet<string> => {
	const found = new Set(importsBySource.get(path));
	for (const reached of found) {
		for (const target of importsBySource.get(reached) ?? []) {
			found.add(target);
		}
	}

	return found;
};

/** A pure room, with everything of `lib` that it reaches. */
const pureFiles = (): readonly string[] => {
	const found = new Set(sources.filter(path => pureRooms.includes(roomOf(path))));
	for (const path of found) {
		for (const target of importsOf(path)) {
			found.add(target);
		}
	}

	return [...found].filter(path => path.endsWith('.ts'));
};

describe('the rooms', () => {
	test('each imports only what lies below it', () => {
		const offences = sources.flatMap(path => {
			const room = roomOf(path);
			const allowed = [room, ...(mayImport[room] ?? [])];
			return importsOf(path)
				.filter(target => target.startsWith('src/') && !allowed.includes(roomOf(target)))
				.map(target => `${path} imports ${target}`);
		});
		expect(offences).toEqual([]);
	});

	test('no file imports itself by way of others', () => {
		expect(sources.filter(path => reachedFrom(path).has(path))).toEqual([]);
	});

	test('the pure ones are pure, with all that they use of lib', () => {
		const stains = pureFiles().flatMap(path => {
			const code = withoutComments(textOf(path));
			return impure
				.filter(([, pattern]) => pattern.test(code))
				.map(([name]) => `${path} has ${name}`);
		});
		expect(stains).toEqual([]);
	});

	test('only three files know where git is', () => {
		const executable = 'src/git/process/executable.ts';
		expect(sources.filter(path => importsOf(path).includes(executable))).toEqual(gitStarters);
	});

	test('only these start programs, and none but the three that know where it is starts git', () => {
		const starters = sources.filter(path => startingModule.test(textOf(path)));
		expect(starters.toSorted()).toEqual([...gitStarters, ...otherStarters].toSorted());
		// Whoever has a shell run what it says could have it run git.
		const speakers = sources.filter(path =>
			importsOf(path).includes('src/supervisor/machine/shell.ts'),
		);
		const sayingGit = [...otherStarters, ...speakers].filter(path =>
			saysGit.test(withoutComments(textOf(path))),
		);
		expect(sayingGit).toEqual([]);
	});

	test('only one file writes to processes, since it alone hears that they are gone', () => {
		expect(sources.filter(path => writesToProcess.test(withoutComments(textOf(path))))).toEqual([
			'src/lib/process/pipe.ts',
		]);
	});

	test.each([
		'child.stdin.write(text)',
		'stdin?.end()',
		"child.stdio[3].write('x')",
		'readable.pipe(child.stdin)',
		'pipeline(file, spawned.stdin)',
		'const {stdin} = child',
		'child.send({kind})',
		'Writable.toWeb(stream)',
	])('a write to a process is known by its form: %s', code => {
		expect(writesToProcess.test(code)).toBe(true);
	});

	test('only the supervisor opens a journal to write, and only the command line prints and exits', () => {
		const writers = sources.filter(path => /\bopenJournal\(/.test(textOf(path)));
		expect(writers.filter(path => !['journal', 'supervisor'].includes(roomOf(path)))).toEqual([]);
		const printers = sources.filter(path =>
			/process\.(?:stdout|stderr|exit|argv)\b|\bconsole\./.test(textOf(path)),
		);
		expect(printers.filter(path => roomOf(path) !== 'cli')).toEqual([]);
		const aside = sources.filter(path => textOf(path).includes('process.stderr.write('));
		expect(aside, 'only a function that sanitizes writes to stderr').toEqual(['src/cli/output.ts']);
	});
});

describe('the files', () => {
	test('none is longer than 600 lines', () => {
		expect(sources.filter(path => textOf(path).split('\n').length - 1 > 600)).toEqual([]);
	});

	test('no folder holds a single file and nothing else', () => {
		const below = (folder: string) => sources.filter(path => path.startsWith(`${folder}/`));
		const folders = sources.map(path => dirname(path));
		expect(folders.filter(folder => below(folder).length === 1)).toEqual([]);
	});

	test('export each name once', () => {
		const definition = /^export (?:async )?(?:const|type|function\*?|class) (\w+)(.*)/gm;
		const definitions = sources.flatMap(path =>
			[...textOf(path).matchAll(definition)]
				.filter(([, , rest = '']) => !isEntry.test(rest))
				.map(([, name = '']) => ({name, path})),
		);
		const repeated = [...Map.groupBy(definitions, ({name}) => name).values()]
			.filter(places => places.length > 1)
			.map(places => places.map(({name, path}) => `${name} in ${path}`));
		expect(repeated).toEqual([]);
	});

	test('write the apostrophe of a sentence as ’', () => {
		const straight = /\w'(?:t|s|re|ve|ll|d|m)\b/;
		expect(sources.filter(path => straight.test(withoutComments(textOf(path))))).toEqual([]);
	});

	const written = [...sources, ...filesBelow('test'), ...filesBelow('scripts')].filter(path =>
		/\.(?:ts|tsx)$/.test(path),
	);

	test('quote by " alone', () => {
		expect(sources.filter(path => /[“”]/.test(textOf(path)))).toEqual([]);
	});

	test('nothing is left to do, skipped or mocked', () => {
		const own = 'test/tidy.test.ts';
		const banned = /\bTODO\b|\bFIXME\b|\b(?:it|test|describe)\.(?:only|skip)\(|\bvi\.mock\(/;
		expect(written.filter(path => path !== own && banned.test(textOf(path)))).toEqual([]);
	});

	test('every lock entry has its integrity, none an address or an install script', () => {
		const lock: unknown = JSON.parse(textOf('package-lock.json'));
		const packages: unknown =
			typeof lock === 'object' && lock !== null && 'packages' in lock ? lock.packages : {};
		const entries = Object.entries(packages ?? {}).filter(
			([path, entry]) => path.includes('node_modules/') && !('link' in entry),
		);
		expect(entries.length).toBeGreaterThan(50);
		expect(entries.filter(([, entry]) => !('integrity' in entry)).map(([path]) => path)).toEqual(
			[],
		);
		expect(
			entries.filter(([, entry]) => 'resolved' in entry || 'hasInstallScript' in entry),
		).toEqual([]);
	});

	test('every folder of src is a room of the table', () => {
		expect(readdirSync('src').filter(name => name !== 'README.md' && !(name in mayImport))).toEqual(
			[],
		);
	});

	test('docs/commands.md lists the commands that there are', () => {
		const listed = textOf('docs/commands.md');
		const names = filesBelow('src/cli/commands').map(path => path.replace(/.*\/|\.ts$/g, ''));
		// `open` is what the bare name does; the others are started by the program itself.
		const unnamed = ['open', 'supervise', 'scripted-agent', 'agent-tools'];
		const shown = names.filter(name => !unnamed.includes(name));
		expect(shown.filter(name => !listed.includes(`delegate-tui ${name}`))).toEqual([]);
	});
});
