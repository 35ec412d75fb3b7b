import {execFileSync, spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {describe, expect, test} from 'vitest';
import {bundle, oldestNode} from '../../scripts/build.ts';
import {wholeProgram} from '../../src/cli/program.ts';
import {openJournal} from '../../src/journal/writer.ts';
import {id, writtenSession} from '../cli/written-session.ts';
import {temporaryFolder, write} from '../helpers/repository.ts';

test('the bundle is in a language that the oldest Node.js can read which the launcher lets run it', async () => {
	const folder = temporaryFolder();
	write(folder, {
		'program.ts':
			'export const run = async (open: () => AsyncDisposable) => {\n\tawait using file = open();\n\treturn file;\n};\n',
	});
	const made = join(folder, 'made');
	await bundle({program: join(folder, 'program.ts')}, made);
	const text = readdirSync(made).map(name => readFileSync(join(made, name), 'utf8'));
	expect(text.join('')).toContain('async');
	expect(text.join('')).not.toMatch(/\busing \w+=/);
	const launcher = readFileSync('bin/delegate-tui.cjs', 'utf8');
	expect(`needs Node.js ${oldestNode} or newer`).toBe(
		/needs Node\.js \S+ or newer/.exec(launcher)?.[0],
	);
});

test('only Ink’s own output is replaced in the bundle', async () => {
	const folder = temporaryFolder();
	write(folder, {
		'program.ts': "export {own} from './output.js';\n",
		'output.js': "export const own = 'own';\n",
	});
	const made = join(folder, 'made');
	await bundle({program: join(folder, 'program.ts')}, made);
	const {own} = await import(join(made, 'program.js'));
	expect(own).toBe('own');
});

test('texts beyond ASCII are escaped in the bundle, and the same when it runs', async () => {
	const folder = temporaryFolder();
	write(folder, {
		'program.ts':
			"export const texts = ['it’s 🙂', `ä–`, 'x–y'.replace(/[–’]/gu, '·'), /^🙂$/u.test('🙂')];\n",
	});
	const made = join(folder, 'made');
	await bundle({program: join(folder, 'program.ts')}, made);
	expect(readFileSync(join(made, 'program.js'), 'utf8')).toMatch(/^[\0-\x7f]+$/);
	const {texts} = await import(join(made, 'program.js'));
	expect(texts).toEqual(['it’s 🙂', 'ä–', 'x·y', true]);
});

test('the bundle takes modules of Node.js without importing them, however they are written', async () => {
	const folder = temporaryFolder();
	write(folder, {
		'program.ts': `import path, {join as joined, posix} from 'node:path';
import events, * as all from 'node:events';
import {once} from 'node:events';
import process from 'node:process';

export const same = [path.join === joined, path.posix === posix, all.once === once, events.once === once, process === globalThis.process];
`,
	});
	const made = join(folder, 'made');
	await bundle({program: join(folder, 'program.ts')}, made);
	expect(readFileSync(join(made, 'program.js'), 'utf8')).not.toMatch(/\bfrom\s*["'`]/);
	const {same} = await import(join(made, 'program.js'));
	expect(same).toEqual([true, true, true, true, true]);
});

describe('who is waited for loads nothing that others need', () => {
	test.each([
		['supervise', 'supervise', ['program']],
		['open', 'screen', []],
	])('%s', (command, start, also) => {
		const always = ['delegate-tui', 'delegate-tui-start', 'rolldown-runtime', command, ...also];
		const names = loadedFor(command).map(name => name.replace(/-[\w-]{8}\.js$|\.js$/, ''));
		expect(names).toContain(command);
		expect(
			names.filter(name => !(always.includes(name) || name.split('-').includes(start))),
		).toEqual([]);
	});

	test.each(['inbox', 'status', 'answer'])(
		'%s is one file without schemas, and takes late what Node.js loads slowly',
		command => {
			const name = `${command}.js`;
			expect(importedBy(name)).toEqual([]);
			expect(readFileSync(join('dist', name), 'utf8')).not.toMatch(/`Zod\w*Object`/);
			const folder = temporaryFolder();
			write(folder, {
				'load.mjs': `
await import(${JSON.stringify(resolve('dist', name))});
console.log(process.moduleLoadList.map(name => name.split(' ')[1]).join('\\n'));
`,
			});
			const loaded = execFileSync(process.execPath, [join(folder, 'load.mjs')], {encoding: 'utf8'});
			expect(loaded.split('\n')).toEqual(expect.arrayContaining(['fs', 'path']));
			for (const name of ['child_process', 'crypto', 'fs/promises', 'net', 'sqlite', 'zlib']) {
				expect(loaded.split('\n')).not.toContain(name);
			}
		},
	);
});

test.each(['inbox', 'status'])(
	'%s of a session starts no git, and never loads what Node.js loads slowly',
	async command => {
		const {project, folder} = await writtenSession();
		const journal = await openJournal({folder: folder.journal, session: id});
		await journal.append([sessionEnded]);
		await journal.close();
		write(project.root, {
			'told.cjs':
				"process.on('exit', () => process.stderr.write(process.moduleLoadList.join(' ')));",
		});
		const {stdout, stderr} = spawnSync(
			process.execPath,
			['--require', './told.cjs', resolve('bin/delegate-tui.cjs'), command, '--json'],
			{cwd: project.root, env: project.environment, encoding: 'utf8'},
		);
		expect(JSON.parse(stdout)).toBeDefined();
		const loaded = stderr.split(' ');
		expect(loaded).toContain('zlib');
		for (const name of ['child_process', 'crypto', 'fs/promises', 'sqlite']) {
			expect(loaded).not.toContain(name);
		}
	},
);

test('what is taken late is the same when it is called', async () => {
	const folder = temporaryFolder();
	const library = (path: string) => JSON.stringify(resolve('node_modules', path));
	write(folder, {
		'program.ts': `import {constants, createHash as hash} from 'node:crypto';
import {DatabaseSync} from 'node:sqlite';
import picomatch from ${library('picomatch/posix.js')};
import {CST, isMap, parseDocument, Scalar} from ${library('yaml/dist/index.js')};

const database = new DatabaseSync(':memory:');
export const said = [
	hash('sha256').update('a').digest('hex').slice(0, 8),
	database.prepare('SELECT 7 AS found').get().found,
	typeof constants,
	picomatch('a*')('ab'),
	picomatch.makeRe('a*').test('b'),
	isMap(parseDocument('a: 1').contents),
	new Scalar('b').value,
	typeof CST.stringify,
];
`,
	});
	const made = join(folder, 'made');
	await bundle({program: join(folder, 'program.ts')}, made);
	const {said} = await import(join(made, 'program.js'));
	expect(said).toEqual(['ca978112', 7, 'object', true, false, true, 'b', 'function']);
});

test('each file of the bundle can be the first that is loaded after the start', () => {
	const files = readdirSync('dist').filter(name => name.endsWith('.js'));
	// What a file imports is evaluated before it, whichever is loaded first, unless it is one of a circle.
	let waiting = files;
	for (let before = Number.POSITIVE_INFINITY; waiting.length < before; ) {
		before = waiting.length;
		waiting = waiting.filter(name => importedBy(name).some(one => waiting.includes(one)));
	}
	expect(waiting).toEqual([]);
	const load = "await Promise.all(process.argv.slice(1).map(name => import('./dist/' + name)));";
	const late = files.filter(name => !/^(?:source-worker|typescript-process)/.test(name));
	execFileSync(process.execPath, ['--input-type=module', '--eval', load, ...late]);
});

test('each command can be the first that is loaded, and describes itself', async () => {
	for (const name of (await wholeProgram()).commands.map(command => command.name())) {
		const {stdout, stderr} = spawnSync(process.execPath, ['bin/delegate-tui.cjs', name, '--help'], {
			encoding: 'utf8',
		});
		expect(`${stdout}${stderr}`).toContain(`Usage: delegate-tui ${name}`);
	}
});

test('the version is told by the launcher alone', () => {
	const folder = temporaryFolder();
	write(folder, {
		'bin/delegate-tui.cjs': readFileSync('bin/delegate-tui.cjs', 'utf8'),
		'package.json': '{"version": "12.3.4"}',
	});
	const told = ['--version', '-V'].map(word =>
		execFileSync(process.execPath, [join(folder, 'bin/delegate-tui.cjs'), word], {
			encoding: 'utf8',
		}),
	);
	expect(told).toEqual(['12.3.4\n', '12.3.4\n']);
});

const sessionEnded = {
	...{at: '2026-01-01T00:10:00.000Z', kind: 'session.ended', status: 'ABORTED', why: ''},
} as const;

/** The files of the built program that are evaluated before a command does anything; those that are asked for most need no parser of words. */
const loadedFor = (command: string): readonly string[] => {
	const names = readdirSync('dist');
	const textOf = (start: string) =>
		readFileSync(join('dist', names.find(name => name.startsWith(start)) ?? ''), 'utf8');
	const chosen = new RegExp(`import\\(\`\\./(${command}-[\\w-]{8}\\.js)\`\\)`);
	const plain = chosen.exec(textOf('delegate-tui-start-'));
	const [, own = ''] = plain ?? chosen.exec(textOf('program-')) ?? [];
	const loaded = new Set(['delegate-tui.js', own]);
	// A set hands out what is added while it is gone through, too.
	for (const name of loaded) {
		for (const imported of importedBy(name)) {
			loaded.add(imported);
		}
	}

	return [...loaded];
};

/** The files that are evaluated before one of the bundle is. */
const importedBy = (name: string): readonly string[] =>
	Array.from(
		readFileSync(join('dist', name), 'utf8').matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g),
		([, imported = '']) => imported,
	);
