import {readFile} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {questionHome, roomsOf} from '../../control/questions/home.ts';
import type {Sandbox} from '../../events/kinds/machine-event.ts';
import type {Allowance} from '../../events/plan.ts';
import type {SandboxSettings} from '../../events/settings.ts';
import type {Repository} from '../../git/repository/repository.ts';
import {lentObjects} from '../../git/store/borrowed.ts';
import {Failure} from '../../lib/failure.ts';
import {ifThere} from '../../lib/files/reading.ts';
import type {Box} from '../../lib/process/box.ts';
import {bound, type Containment, inBox} from '../../lib/process/containment.ts';
import {linkHomes} from '../../lib/process/seatbelt.ts';
import {defined} from '../../lib/values.ts';
import {accessOf} from '../../state/agent/access.ts';
import type {Agent, Denial} from '../../state/agent/agent.ts';
import {agentOf} from '../../state/select.ts';
import {ownFolders} from '../questions/own-folders.ts';
import type {World} from '../world.ts';
import {closedIn, homeVariables, prepareBox, type SandboxSpec} from './box-for.ts';
import type {OnRefusedHost} from './gates.ts';
import {openable, type Reaching} from './openable.ts';

type WorktreeSpec = Pick<
	SandboxSpec,
	'tree' | 'commands' | 'environment' | 'profile' | 'forbidden' | 'isInUse'
> & {
	/** Key of its folders of questions. */
	readonly name: string;
	/** Key of its gate to named hosts; `name` by default. Two processes with one key must not run at the same time with different hosts. */
	readonly gate?: string;
	/** The agent whose worktree it is, if any; it can't see the objects of other agents. */
	readonly agent?: string;
	readonly more?: Box;
	readonly onRefused?: OnRefusedHost;
};

type SandboxWorld = Pick<World, 'containment' | 'folder' | 'state' | 'repository' | 'store'> &
	Partial<Pick<World, 'gates'>>;

/** Confines processes in a worktree of a session, with their own folders of questions; if paths can't be remapped, they see the folders of all agents. */
export const inWorktree = async (
	{containment, folder, state, repository, store, gates}: SandboxWorld,
	{name, gate = name, agent, more = [], onRefused, ...spec}: WorktreeSpec,
): Promise<Containment> => {
	const {settings, plan} = state().session ?? {};
	const home = settings?.questionsHome;
	const isBoxed = protectsFiles(containment, settings?.sandbox);
	const binds =
		home === undefined || !(containment.binds || isBoxed)
			? []
			: isBoxed && isSeatbelt(containment)
				? roomsOf(questionHome(home)).map(room => ({from: room, to: room}))
				: await ownFolders(questionHome(home), folder, name, isBoxed);
	return sandboxed(containment, settings?.sandbox, {
		...spec,
		lenders: [
			...(agent === undefined ? [join(store.gitDir, 'objects')] : []),
			...(await lendersOf(repository)),
		],
		checkout: repository.root,
		caches: folder.caches,
		...defined({
			allow: withGranted(
				plan?.allow,
				{...spec, checkout: repository.root},
				agentOf(state(), agent ?? ''),
			),
			openGate:
				gates && ((hosts: readonly string[]) => gates.open(gate, {hosts, ...defined({onRefused})})),
		}),
		more: [...more, ...binds.map(({from, to}) => ({path: to, as: 'own', from}) as const)],
	});
};

/** Adds the access that a person granted to an agent. Paths are checked each time, since a link in them may have changed. */
const withGranted = (
	allow: Allowance | undefined,
	spec: Reaching,
	agent: Agent | undefined,
): Allowance | undefined => {
	if (agent?.access === undefined) {
		return allow;
	}

	const {read, write, sockets, hosts} = accessOf(agent);
	const still = (to: Denial['to']) => (path: string) => openable({path, to}, spec) === path;
	return {
		...allow,
		read: [...(allow?.read ?? []), ...read.filter(still('read'))],
		write: [...(allow?.write ?? []), ...write.filter(still('write'))],
		sockets: [...(allow?.sockets ?? []), ...sockets.filter(still('connect'))],
		hosts: [...(allow?.hosts ?? []), ...hosts],
	};
};

/** Returns all object directories from which agents' repositories borrow through the person's. */
export const lendersOf = async (repository: Repository): Promise<readonly string[]> =>
	(await Promise.all((await lentObjects(repository)).map(borrowedBy))).flat();

/** Returns an object directory and all its alternates. */
export const borrowedBy = async (objects: string): Promise<readonly string[]> => {
	const text = await ifThere(readFile(join(objects, 'info/alternates'), 'utf8'));
	const paths = (text ?? '').split('\n').filter(line => line !== '' && !line.startsWith('#'));
	const further = await Promise.all(paths.map(path => borrowedBy(resolve(objects, path))));
	return [objects, ...further.flat()];
};

/** Returns whether this machine can protect files and the settings ask for it. */
export const protectsFiles = (
	{fileSandbox}: Pick<Containment, 'fileSandbox'>,
	settings: SandboxSettings | undefined,
): boolean => settings?.mode !== 'off' && 'program' in fileSandbox;

/** Returns whether the sandbox is Seatbelt, which hides files but can't mount one in place of another, and doesn't end processes with their parent. */
const isSeatbelt = ({fileSandbox}: Pick<Containment, 'fileSandbox'>): boolean =>
	'by' in fileSandbox && fileSandbox.by === 'Seatbelt';

/**
Returns a containment in which a process sees only the files that it needs, if this machine can do that and the settings ask for it; otherwise one that only replaces some folders.

@throws `Failure` if the settings require a sandbox and this machine has none.
*/
export const sandboxed = async (
	containment: Containment,
	settings: SandboxSettings | undefined,
	spec: SandboxSpec,
): Promise<Containment> => {
	requireFileSandbox(containment, settings);
	const {fileSandbox} = containment;
	if (!('program' in fileSandbox) || settings?.mode === 'off') {
		const binds = spec.more.flatMap(({from, path, as}) =>
			as === 'own' && from !== undefined && from !== path ? [{from, to: path}] : [],
		);
		return bound(containment, binds);
	}

	const box = await prepareBox(spec);
	const {TMPDIR} = spec.environment;
	const network = await networkFor(settings?.network, spec);
	const gate =
		typeof network === 'object' ? [{path: dirname(network.proxy), as: 'seen'} as const] : [];
	if (isSeatbelt(containment) && !spec.isInUse) {
		linkHomes(box);
	}

	return inBox(containment, fileSandbox, {
		box: [...box, ...gate, ...(fileSandbox.closesNothing ? [] : closedIn(spec, box))],
		...defined({network}),
		variables: {
			...(isSeatbelt(containment) ? homeVariables(spec) : {}),
			// Package managers keep locks there, and the person's folder is hidden.
			...(TMPDIR === undefined ? {} : {XDG_RUNTIME_DIR: TMPDIR}),
		},
	});
};

/** Returns the command that starts a type checker. Without a sandbox it has no prefix: a process namespace alone would close the descriptor of its requests, and it exits with its parent anyway. */
export const checkerWords = (
	{box, prefix}: Containment,
	command: readonly string[],
): readonly string[] => (box === undefined ? command : [...prefix, ...command]);

const networkFor = async (
	wanted: SandboxSettings['network'],
	{allow: {hosts = []} = {}, openGate}: SandboxSpec,
): Promise<'off' | {readonly proxy: string} | undefined> => {
	if (wanted === undefined) {
		return undefined;
	}

	const named = [...(wanted === 'off' ? [] : wanted.hosts), ...hosts];
	return named.length === 0 || openGate === undefined ? 'off' : {proxy: await openGate(named)};
};

/** @throws `Failure` if the settings require a sandbox and this machine has none. */
export const requireFileSandbox = (
	{fileSandbox}: Pick<Containment, 'fileSandbox'>,
	settings: SandboxSettings | undefined,
): void => {
	if (settings?.mode === 'required' && 'missing' in fileSandbox) {
		throw new Failure(
			'missing',
			`The config requires that files are protected from agents, and here they can’t be: ${fileSandbox.missing}.`,
			{hint: fileSandbox.hint ?? 'set "sandbox: auto" to let agents run with your own rights'},
		);
	}
};

/** Returns the level of an agent's containment, according to this machine and the settings. */
export const sandboxOf = (containment: Containment, settings?: SandboxSettings): Sandbox => {
	const {level, why} = containment;
	if (protectsFiles(containment, settings)) {
		return {
			level: 'files',
			why: `an agent sees its worktree, your checkout and programs, and can write only in its worktree.${'closesNothing' in containment.fileSandbox ? closingText : ''}${networkText(settings?.network)}${isSeatbelt(containment) ? ` Processes that it starts are looked for and ended, but can hide: ${why}.` : ''}`,
		};
	}

	const files = whyUnprotected(containment);
	const open = settings?.network === undefined ? files : `${files}; nor is the network closed`;
	return level === 'groups'
		? {
				level: 'none',
				why: `${open}. Agents run with your rights; what leaves a scope is reverted. Processes that an agent starts are looked for and ended, but can hide: ${why}.`,
			}
		: {
				level: 'processes',
				why: `${open}. An agent runs with your rights; what leaves a scope is reverted. All processes that it starts end with it (${why}).`,
			};
};

const closingText =
	' It can also write what the plan forbids there, which is reverted then: a newer bubblewrap (0.10.0, or 0.8.0 and 0.9.0 with security updates) makes that read-only.';

/** Returns why files are not protected, and how to change that. */
export const whyUnprotected = ({fileSandbox}: Pick<Containment, 'fileSandbox'>): string => {
	if ('program' in fileSandbox) {
		return 'you turned it off (`sandbox: off`)';
	}

	const {missing, hint} = fileSandbox;
	return hint === undefined ? missing : `${missing} (to change that: ${hint})`;
};

const networkText = (network: SandboxSettings['network']): string => {
	if (network === undefined) {
		return '';
	}

	const hosts = network === 'off' ? [] : network.hosts;
	return hosts.length === 0
		? ' It reaches no other machine but those that the plan allows.'
		: ` It reaches no other machine but ${hosts.join(', ')} and those that the plan allows.`;
};
