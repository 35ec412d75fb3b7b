import {join} from 'node:path';
import {defineConfig} from 'vitest/config';
import {LongestFirst} from './test/helpers/longest-first.ts';
import {temporaryRoot} from './test/helpers/memory-disk.ts';

/** Within a second, as is the default, a busy machine may not even have started what is waited for. */
const expect = {poll: {timeout: 60_000}};

const root = temporaryRoot();

/** What all tests share that start programs. */
const withPrograms = {
	globalSetup: 'test/helpers/build.ts',
	// What they start in JavaScript and TypeScript is compiled once, and not at each start.
	env: {TMPDIR: root, NODE_COMPILE_CACHE: join(root, 'node-compile-cache'), TZ: 'UTC'},
	// Limits end what hangs, and nothing else: each is more than a machine ten times slower needs.
	hookTimeout: 240_000,
	expect,
	pool: 'forks' as const,
	// Each start of a git copies the tables of all memory that is in use, so less of it is left to be collected later.
	execArgv: ['--max-semi-space-size=2'],
	// They wait for processes and disks most of their time, so more of them than cores can run at once.
	maxWorkers: 4,
};

const inOneProcess = {isolate: false, setupFiles: 'test/helpers/left-as-found.ts'};

/**
Rooms whose tests can share a process, and what it has loaded; `setupFiles` sees to it that each leaves it as it was.

Grammars and compilers stay in memory, and each start of a git copies the tables of all of it, so those of conflicts share none.
*/
const shared = [
	'test/{agents,cli,control,fixtures,git,journal,lib,scripts,stories,supervisor,web}/**/*.test.ts',
];

/** Rooms whose tests start hardly any program: they compute, and draw with the React that people get. */
const pure = [
	'test/{client,rules,signals,state,tui}/**/*.test.ts',
	'test/lib/{*,text/*}.test.ts',
	'test/journal/{codec,damage,disk-faults,scan,writer}.test.ts',
];

/** Those among them that give up their rights, or have another git found. */
const alone = [
	'test/git/process/{executable,recall}.test.ts',
	'test/git/tree/listing.test.ts',
	'test/git/worktree/{calm-look,replaced-worktree}.test.ts',
	'test/lib/files/remove-folder.test.ts',
	'test/supervisor/worktree/capture-many.test.ts',
];

/** Whole sessions, and what tries very much: minutes of them are for each landing, and not for each look at a change. */
const long = [
	'test/release.test.ts',
	'test/stories/**/*.test.ts',
	'test/cli/{commands,conflicts}.test.ts',
	'test/client/store/live-store.test.ts',
	'test/conflicts/either-side.test.ts',
	'test/conflicts/oracle/{closure,typescript,typescript-process}.test.ts',
	'test/journal/sigkill.test.ts',
	'test/rules/{bounded-turns,decisions,properties}.test.ts',
	'test/signals/memory.test.ts',
	'test/supervisor/{crash,failing-children,process-zoo}.test.ts',
	'test/supervisor/perform/{build-breakage,replay}.test.ts',
	'test/supervisor/show/show.test.ts',
	'test/supervisor/undo/undo-checked.test.ts',
	'test/tui/{editor,plan/program,program}.test.ts',
];

/** `npm test` runs those that `check` begins the name of; the others are behind `npm run test:long`, `npm run test:safety` and `npm run test:fuzz`. */
export default defineConfig({
	test: {
		sequence: {sequencer: LongestFirst},
		projects: [
			{
				test: {
					name: 'check',
					include: ['test/*.test.ts', 'test/conflicts/**/*.test.ts', ...alone],
					exclude: long,
					testTimeout: 240_000,
					...withPrograms,
				},
			},
			{
				test: {
					name: 'check-shared',
					include: shared,
					exclude: [...alone, ...long, ...pure],
					testTimeout: 240_000,
					...inOneProcess,
					...withPrograms,
				},
			},
			{
				oxc: {jsx: {development: false}},
				test: {
					name: 'check-pure',
					include: pure,
					exclude: long,
					testTimeout: 240_000,
					...inOneProcess,
					...withPrograms,
					env: {...withPrograms.env, NODE_ENV: 'production'},
					execArgv: [],
				},
			},
			{
				test: {
					name: 'long',
					include: long,
					testTimeout: 240_000,
					...inOneProcess,
					...withPrograms,
				},
			},
			{
				test: {
					name: 'safety',
					include: ['test/**/*.safety.ts'],
					setupFiles: 'test/safety/figures.ts',
					testTimeout: 60 * 60_000,
					...withPrograms,
					// They start more processes each, and some of them watch the clock.
					maxWorkers: 3,
				},
			},
			{
				test: {
					name: 'reach',
					include: ['test/reach/**/*.reach.ts'],
					testTimeout: 10 * 60_000,
					...withPrograms,
				},
			},
			{
				test: {
					name: 'fuzz',
					include: ['test/signals/properties.test.ts', 'test/tui/any-input.test.ts'],
					testTimeout: 10 * 60_000,
				},
			},
		],
	},
});
