import {lstat} from 'node:fs/promises';
import {join, posix} from 'node:path';
import {type Guide, type Launch, launchPrompt} from '../../../agents/launch-prompt.ts';
import {profileOf} from '../../../agents/profiles/profiles.ts';
import {
	completedIn,
	type Restoration,
	replyBlock,
	tasksAfter,
} from '../../../agents/resume/reply-block.ts';
import {reminderPrompt, resumePrompt} from '../../../agents/resume/resume-prompt.ts';
import {questionHome} from '../../../control/questions/home.ts';
import type {PromptKind} from '../../../events/event.ts';
import type {AgentCommand} from '../../../events/plan.ts';
import type {Reply} from '../../../events/reply.ts';
import type {Store} from '../../../git/store/store.ts';
import {readBlob} from '../../../git/tree/blobs.ts';
import {changes} from '../../../git/tree/changes.ts';
import {isAncestor} from '../../../git/tree/commit.ts';
import {type Entry, symlinkMode} from '../../../git/tree/entry.ts';
import {entriesOf, type TreeEntries} from '../../../git/tree/listing.ts';
import {withWorktree} from '../../../git/worktree/open-worktree.ts';
import {succeeds, textInFile} from '../../../lib/files/reading.ts';
import {enumerated} from '../../../lib/text/words.ts';
import {defined} from '../../../lib/values.ts';
import {type SeenCollision, unreportedCollisions} from '../../../rules/collisions.ts';
import {type Agent, markedFor} from '../../../state/agent/agent.ts';
import {globallyForbidden} from '../../../state/agent/scope.ts';
import {evidenceText} from '../../../state/merge/attribution-text.ts';
import {agentOf, agentsLeft} from '../../../state/select.ts';
import type {State} from '../../../state/state.ts';
import {arbiterBrief, redoBrief} from '../../arbiter/arbiter-brief.ts';
import {ownCheckpointPath} from '../../questions/update-files.ts';
import {requireSession, type World} from '../../world.ts';
import {handOver} from './hand-over.ts';
import {toolsIn} from './launch-config.ts';

export type Prompt = {
	/** For an agent that remembers its earlier prompts. */
	readonly words: string;
	/** For an agent that remembers nothing: a new process of a text agent, a new conversation. */
	readonly whole: string;
};

/** Returns the prompt of a turn; reads the worktree just before. */
export const promptFor = async (
	world: World,
	state: State,
	agent: Agent,
	prompt: PromptKind,
): Promise<Prompt> => {
	const {plan, settings} = requireSession(state);
	const directory = world.folder.agent(agent.id).tree;
	const results = await handOver(world, state, agent);
	const guide = await guideFor(world, agent);
	const brief = await arbiterBrief(world, state, agent);
	const ordinary = launchPrompt({
		plan: {...plan, agents: agentsLeft(state).map(({subtask}) => subtask)},
		subtask: agent.subtask,
		directory,
		...defined({results: results.before}),
		...requesterOf(agent),
		forbidden: globallyForbidden,
		tools: await toolsIn(agent.subtask, directory),
		checkpointMs: settings.checkpointMs,
		...defined({guide}),
	});
	const launch = brief === undefined ? ordinary : `${ordinary}\n\n${brief}`;
	if (prompt === 'launch') {
		const whole = [launch, ...agent.replies.map(replyBlock)].join('\n\n');
		return {words: whole, whole};
	}

	const restoration = await restorationOf(world, state, agent);
	const unreadable = agent.malformed;
	const notices = world.notices.of(agent.id);
	const conflicts = await markedConflicts(directory, agent);
	const collisions = unreportedCollisions(state, agent.id).map(collisionText);
	const both = await redoBrief(world, state, agent);
	const told =
		prompt === 'reminder'
			? reminderPrompt({notices, unreadable, restoration, collisions})
			: resumePrompt({
					replies: agent.replies.map(reply => withCheckpoint(settings.questionsHome, reply)),
					...defined({results: results.awaited, trouble: agent.troubled?.last}),
					...(agent.turn.phase === 'ended' ? {end: agent.turn.end.by} : {}),
					notices,
					unreadable,
					restoration,
					conflicts,
					collisions,
				});
	const words = both === undefined ? told : `${told}\n\n${both}`;
	return {words, whole: `${words}\n\n${launch}`};
};

const requesterOf = ({requestedBy, coordination}: Agent): Pick<Launch, 'requester'> =>
	requestedBy === undefined ? {} : {requester: {by: requestedBy, ...defined({coordination})}};

/** Adds the checkpoint file that the supervisor wrote beside an escalated question, if the agent wrote none. */
const withCheckpoint = (home: string | undefined, reply: Reply): Reply =>
	home === undefined || !reply.escalated || reply.checkpoint !== undefined || !reply.file
		? reply
		: {...reply, checkpoint: ownCheckpointPath(questionHome(home), reply.file)};

/** Returns a collision as text, with the locations in the agent's own work and in the other's. */
const collisionText = ({other, side, finding: {summary, evidence}}: SeenCollision): string =>
	`${summary} You: ${evidenceText(evidence, side)}. ${other}: ${evidenceText(evidence, side === 'a' ? 'b' : 'a')}.`;

/** Returns the guide for an agent whose worktree is made; see `guideAt`. */
export const guideFor = async (
	{store}: Pick<World, 'store'>,
	{subtask, workspace}: Pick<Agent, 'subtask' | 'workspace'>,
): Promise<Guide | undefined> =>
	workspace.phase === 'ready' ? guideAt(store, subtask.agent, workspace.base) : undefined;

/**
Returns a project's guide for agents, if the agent's program doesn't read it itself.

It is read from the commit on which the agent's work is based: no agent can have changed that.
*/
export const guideAt = async (
	store: Store,
	agent: AgentCommand,
	commit: string,
): Promise<Guide | undefined> => {
	const guides = profileOf(agent)?.guides ?? [];
	if (guides.length === 0) {
		return undefined;
	}

	const entries = await entriesOf(store, commit);
	const path = guides.find(guide => entries.has(guide));
	const text = path === undefined ? undefined : await textAt(store, entries, path);
	if (path === undefined || text === undefined) {
		return undefined;
	}

	const further = [...new Set([...importsIn(text), ...guidesBelow(entries, guides)])]
		.filter(other => other !== path && entries.has(other))
		.slice(0, mostFurther);
	return {path, text, ...(further.length === 0 ? {} : {further})};
};

/** Maximum number of files to name beside a guide. */
const mostFurther = 20;

/** Returns the paths that a guide imports with `@docs/style.md`, like in Claude Code. */
const importsIn = (text: string): readonly string[] =>
	[...text.matchAll(/(?:^|\s)@(?:\.\/)?([\w./-]*\w)/g)].flatMap(([, path]) => path ?? []);

const guidesBelow = (entries: TreeEntries, guides: readonly string[]): readonly string[] =>
	guides.flatMap(guide =>
		[...entries.containing(`/${guide}`)].flatMap(([path]) =>
			posix.basename(path) === guide && path !== guide ? [path] : [],
		),
	);

const textAt = async (
	store: Store,
	entries: TreeEntries,
	path: string,
): Promise<string | undefined> => {
	const read = async ({oid}: Entry): Promise<string> => (await readBlob(store, oid)).toString();
	const entry = entries.get(path);
	if (entry?.mode !== symlinkMode) {
		return entry && read(entry);
	}

	const goal = entries.get(goalOf(path, await read(entry)));
	return goal === undefined || goal.mode === symlinkMode ? undefined : read(goal);
};

/** Returns the target of a guide that is a link to another. */
const goalOf = (path: string, link: string): string =>
	posix.normalize(posix.join(posix.dirname(path), link));

/** Returns the files with conflict markers that an agent must resolve, with the line numbers of each conflict. */
const markedConflicts = async (directory: string, agent: Agent): Promise<readonly string[]> => {
	const conflicts = markedFor(agent);
	return conflicts.length === 0
		? []
		: withWorktree(directory, async root =>
				conflicts.map(path => `${path}${linesIn(join(root, path))}`),
			);
};

/** Returns the line numbers of the conflicts in a file; an empty string if it can't be read or has none. */
const linesIn = (path: string): string => {
	const ranges = markedLines(textInFile(path, mostMarked));
	return ranges.length === 0 ? '' : ` (lines ${enumerated(ranges)})`;
};

/** Maximum length of a file that is searched, in bytes. */
const mostMarked = 16 * 2 ** 20;

/** Returns the line numbers of each conflict in a text, from its first marker to its last. */
const markedLines = (text: string): readonly string[] => {
	const lines = text.split('\n');
	return lines.flatMap((line, position) => {
		const end = line.startsWith('<<<<<<<')
			? lines.findIndex((other, at) => at > position && other.startsWith('>>>>>>>'))
			: -1;
		return end === -1 ? [] : [`${position + 1}–${end + 1}`];
	});
};

/** Maximum number of files in a prompt; git can tell the agent the rest. */
const maximumFiles = 50;

/** Returns the state of an agent's work: changed files according to the last snapshot, and whether the files that the agent named exist. */
const restorationOf = async (world: World, state: State, agent: Agent): Promise<Restoration> => {
	const {rebuilt, replies, subtask} = agent;
	const snapshot = agent.snapshots.at(-1);
	const changed = snapshot
		? await changes(world.store, snapshot.startingPoint.base, snapshot.work)
		: [];
	const statuses = replies.flatMap(reply => reply.workStatus ?? []);
	const blockedAt = statuses.flatMap(status => status.blockedAt ?? []).at(-1);
	const directory = world.folder.agent(agent.id).tree;
	const named = statuses.flatMap(({files = []}) => files);
	return {
		...defined({rebuilt, blockedAt}),
		completed: [...progressOf(agent), ...completedIn(statuses)].join('; ') || 'unknown',
		files: changed.slice(0, maximumFiles).map(({path}) => path),
		missing: await missingIn(directory, named.slice(0, maximumFiles)),
		directory,
		merged: await mergedMeanwhile(world, state, agent),
		...tasksAfter(replies, subtask.goal ?? subtask.subtask),
	};
};

/** Returns the agents whose work was merged after the commit on which an agent's work is based, with their subtasks. */
const mergedMeanwhile = async (
	{store}: World,
	state: State,
	{workspace}: Agent,
): Promise<readonly string[]> => {
	if (workspace.phase !== 'ready') {
		return [];
	}

	const {base, onto} = workspace;
	const merges = state.publications.filter(one => one.phase === 'standing');
	const held = await Promise.all(merges.map(({built}) => isAncestor(store, built.commit, base)));
	return merges
		.filter((_, position) => !held[position])
		.flatMap(({built}) => built.agents.filter(id => !onto.includes(id)))
		.map(id => `${id} (${agentOf(state, id)?.subtask.subtask ?? ''})`);
};

const progressOf = ({progress, updates: {phase, status}}: Agent): readonly string[] => {
	const said = [phase, status].filter(word => word !== undefined).join(': ');
	const words = [progress === null ? '' : `${progress} %`, said === '' ? '' : `(${said})`];
	const line = words.filter(word => word !== '').join(' ');
	return line === '' ? [] : [line];
};

/** Returns the named paths inside the worktree that don't exist; other paths are not checked. */
const missingIn = async (
	directory: string,
	named: readonly string[],
): Promise<readonly string[]> => {
	const within = named.filter(isWithin);
	return within.length === 0
		? []
		: withWorktree(directory, async root => {
				const there = await Promise.all(within.map(path => succeeds(lstat(join(root, path)))));
				return within.filter((_, position) => !there[position]);
			});
};

const isWithin = (path: string): boolean =>
	path !== '' && !path.startsWith('/') && !path.includes('\0') && !path.split('/').includes('..');
