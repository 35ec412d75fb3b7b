import {mkdir, readFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join} from 'node:path';
import type {TestRun} from '../conflicts/checks/breaks-together.ts';
import type {ShutIn} from '../conflicts/oracle/oracle.ts';
import type {ConflictReport} from '../conflicts/report.ts';
import type {CommandRun} from '../events/kinds/merge-event.ts';
import {lineOf} from '../git/process/result.ts';
import {sealed} from '../git/process/sealed.ts';
import type {ReadableRepository} from '../git/repository/readable-repository.ts';
import {createLinkedTree} from '../git/store/linked-tree.ts';
import type {Store} from '../git/store/store.ts';
import {type Containment, findContainment} from '../lib/process/containment.ts';
import {identityOf} from '../lib/process/processes.ts';
import {defined, omit} from '../lib/values.ts';
import {portsText} from '../state/merge/checked-result.ts';
import {stateFolder} from '../supervisor/folder.ts';
import {downloads, type SandboxSpec} from '../supervisor/machine/box-for.ts';
import {
	borrowedBy,
	checkerWords,
	protectsFiles,
	sandboxed,
	whyUnprotected,
} from '../supervisor/machine/sandbox.ts';
import {runCommands, shellEnvironment} from '../supervisor/machine/shell.ts';
import {openSlots, removeWithSlot} from '../supervisor/machine/slots.ts';
import {type Config, sandboxSettings} from './config/config.ts';

/** Runs all commands on a commit, even after one has failed, and returns their output, with paths relative to the root of the tree. */
export type Runner = (
	commands: readonly string[],
	commit: string,
	signal?: AbortSignal,
) => Promise<
	TestRun & {
		/** Other programs whose ports it used, to follow `passes`; empty if none. */ readonly used: string;
	}
>;

type Reading = {
	readonly repository: ReadableRepository;
	readonly store: Store;
	readonly config: Pick<Config, 'sandbox' | 'allow'>;
};

/** Returns a runner with a checkout and a repository for each commit, in the sandbox of a session; each is removed afterwards. */
export const openRunner = async (
	{repository, store, config}: Reading,
	folder: string,
): Promise<Runner> => {
	const objects = objectsOf({repository, store});
	const keepIn = await openSandbox({repository, store, config}, folder);
	const objectFormat = lineOf(await sealed(store, ['rev-parse', '--show-object-format']));
	const slots = openSlots(stateFolder(process.env), identityOf(process.pid));
	let count = 0;
	return async (commands, commit, signal) => {
		count += 1;
		const runFolder = join(folder, String(count));
		try {
			const {tree} = await createLinkedTree({
				folder: runFolder,
				borrowed: {
					objects,
					objectFormat,
					shallowFile: join(repository.commonDir, 'shallow'),
					config: new Map(),
					exclude: '',
				},
				commit,
			});
			const slot = await slots.variablesOf(tree);
			let isGreen = true;
			const said: string[] = [];
			const ran: CommandRun[] = [];
			for (const [index, command] of commands.entries()) {
				const log = join(runFolder, `log-${index}`);
				const {env, mark} = shellEnvironment(process.env, 'conflicts', `${process.pid}/${count}`);
				const environment = {...env, ...slot};
				const {ok, commands} = await runCommands([command], {
					cwd: tree,
					env: environment,
					mark,
					containment: await keepIn({tree, environment, commands: [['/bin/sh', '-c', command]]}),
					network: {own: true, needs: [], folder: slot.TMPDIR},
					log,
					...defined({signal}),
				});
				isGreen &&= ok;
				ran.push(...commands);
				// The first line is the command itself.
				said.push(...(await readFile(log, 'utf8')).replaceAll(`${tree}/`, '').split('\n').slice(1));
			}

			return {ok: isGreen, output: said.join('\n'), used: portsText({commands: ran})};
		} finally {
			await removeWithSlot(slots, runFolder);
		}
	};
};

const objectsOf = ({repository, store}: Omit<Reading, 'config'>): readonly string[] => [
	join(store.gitDir, 'objects'),
	join(repository.commonDir, 'objects'),
];

/** Containment on this machine, which is tested once. */
let found: Promise<Containment> | undefined;

const containmentHere = (): Promise<Containment> => {
	found ??= findContainment(process.env.DELEGATE_TUI_PROCESSES);
	return found;
};

/** Returns the sandbox for everything that works on commits of a repository. */
const openSandbox = async ({repository, store, config}: Reading, folder: string) => {
	const lenders = (await Promise.all(objectsOf({repository, store}).map(borrowedBy))).flat();
	const containment = await containmentHere();
	return (
		spec: Pick<SandboxSpec, 'tree' | 'environment' | 'commands'> & Partial<SandboxSpec>,
	): Promise<Containment> =>
		sandboxed(containment, sandboxSettings(config.sandbox), {
			...{lenders, allow: config.allow, more: [], caches: join(folder, 'caches')},
			...defined({checkout: repository.checkout}),
			...spec,
		});
};

/** Returns the sandbox for type checkers, like the project's own check; a checker downloads nothing, so it may read the person's downloads. */
export const openShutIn = (reading: Reading, folder: string): ShutIn => {
	let opened: ReturnType<typeof openSandbox> | undefined;
	return async ({command, tree = join(folder, 'types', 'tree'), keeps}) => {
		opened ??= openSandbox(reading, folder);
		const {env} = shellEnvironment(process.env, 'conflicts', `${process.pid}/types`);
		const environment = omit(env, 'TMPDIR');
		const own = keeps === undefined ? [] : [keeps];
		await Promise.all([tree, ...own].map(path => mkdir(path, {recursive: true})));
		const seen = [reading.store.gitDir, ...downloads.map(name => join(homedir(), name))];
		const containment = await (await opened)({
			...{tree, environment, commands: [command]},
			more: [
				...seen.map(path => ({path, as: 'seen'}) as const),
				...own.map(path => ({path, as: 'own'}) as const),
			],
		});
		return {words: checkerWords(containment, command), env: environment};
	};
};

/** Returns whether files are protected from programs that run on commits here. */
export const sandboxHere = async ({
	sandbox,
}: Pick<Config, 'sandbox'>): Promise<NonNullable<ConflictReport['sandbox']>> => {
	const containment = await containmentHere();
	return protectsFiles(containment, sandboxSettings(sandbox))
		? {level: 'files'}
		: {level: 'none', why: whyUnprotected(containment)};
};
