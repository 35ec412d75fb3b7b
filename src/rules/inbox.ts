import type {Item, ItemOf} from '../state/item.ts';
import {agentOf, lastSnapshot} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {surfaceNotes} from '../state/surface-notes.ts';
import {resultNotes, workNotes} from '../state/work-notes.ts';
import {choicesOf, takesAnyText} from './choices.ts';
import {freePlaces} from './places.ts';
import {whyNot} from './why-not.ts';

/** An item as readers show it; `DESIGN §5, inbox --json`. */
export type InboxItem = {
	readonly id: string;
	readonly kind: Item['kind'];
	readonly agent?: string;
	readonly title: string;
	readonly free: boolean;
	readonly choices: readonly {choice: string; label: string; whyNot?: string}[];
	readonly deadline?: string;
	readonly [field: string]: unknown;
};

/** Returns everything that waits for a person, oldest first, what was put off last. */
export const inbox = (state: State): readonly InboxItem[] =>
	state.items.map(item => ({
		id: item.id,
		kind: item.kind,
		...('agent' in item ? {agent: item.agent} : {}),
		title: titleOf(state, item),
		free: takesAnyText(item),
		choices: choicesOf(state, item).map(({choice, label}) => {
			const refused = whyNotChoose(state, item, choice);
			return {choice, label, ...(refused === undefined ? {} : {whyNot: refused})};
		}),
		...detailOf(state, item),
	}));

/** What a person has still to supply (a note, a file) is no reason against a choice. */
const whyNotChoose = (state: State, item: Item, choice: string): string | undefined => {
	if (
		choice === 'done' ||
		choice === 'edit' ||
		item.kind === 'delegation' ||
		choice === 'delegate'
	) {
		return undefined;
	}

	return whyNot(state, {kind: 'decide', item: item.id, choice, by: 'user', note: 'a note'});
};

const titleOf = (state: State, item: Item): string => {
	switch (item.kind) {
		case 'plan':
			return `Start ${state.agents.length} ${state.agents.length === 1 ? 'agent' : 'agents'} on: ${state.session?.plan.task ?? ''}`;
		case 'question':
			return item.question.question;
		case 'checkpoint':
			return checkpointTitle(item);
		case 'blocker':
			return `Blocked: ${item.details}`;
		case 'delegation':
			return `Wants to delegate: ${item.task}`;
		case 'scope':
			return `Wants to write outside its scope: ${item.paths.join(', ')}`;
		case 'permission':
			return permissionTitle(item);
		case 'review':
			return reviewTitle(state, item.agent, item.trouble);
		case 'limit':
			return item.of === 'work'
				? 'Its time is used up'
				: 'Its start takes long: its worktree is still being made and set up';
		case 'failure':
			return `Failed: ${item.why}`;
		case 'conflict':
			return conflictTitle(item);
		case 'verify':
			return verifyTitle(item);
		case 'approval':
			return approvalTitle(state, item.refused);
	}
};

const checkpointTitle = ({said}: ItemOf<'checkpoint'>): string => {
	const words = [said.status, said.progress === undefined ? undefined : `${said.progress} %`];
	const told = words.filter(word => word !== undefined).join(', ');
	return `Checkpoint${told === '' ? '' : `: ${told}`}; it asks to ${(said.request ?? 'CONTINUE').toLowerCase()}`;
};

const permissionTitle = ({title, command, paths}: ItemOf<'permission'>): string => {
	if (command !== undefined) {
		return `Wants to run: ${command}`;
	}

	return `Wants to do: ${title}${paths.length === 0 ? '' : ` (${paths.join(', ')})`}`;
};

const reviewTitle = (state: State, id: string, trouble: string | undefined): string => {
	const agent = agentOf(state, id);
	const files = agent?.snapshots.at(-1)?.files ?? 0;
	const title = `Finished, ${files} ${files === 1 ? 'file' : 'files'} changed: ${agent?.subtask.subtask ?? ''}`;
	return trouble === undefined ? title : `${title} (${trouble})`;
};

const conflictTitle = (item: ItemOf<'conflict'>): string => {
	const {a, b, path, trouble} = item;
	const title = `${a.join('+')} and ${b.join('+')} collide in ${path}: ${deeds(item)}`;
	return trouble === undefined ? title : `${title} (its folder could not be made: ${trouble})`;
};

/** What each side did to the path. Git's own sentence says less, and the path once more. */
const deeds = ({a, b, stages}: ItemOf<'conflict'>): string => {
	if (stages.a !== null && stages.b !== null) {
		return stages.base === null ? 'both added it' : 'both changed it';
	}

	if (stages.base === null || (stages.a === null && stages.b === null)) {
		return 'one of them moved it';
	}

	const [gone, kept] = stages.a === null ? [a, b] : [b, a];
	return `${gone.join('+')} deleted it, ${kept.join('+')} changed it`;
};

/** Without a commit nothing was checked: there was nothing to check yet. */
const verifyTitle = ({commit, why, gitSettings}: ItemOf<'verify'>): string => {
	if (commit !== '') {
		return `The check of the merged result failed: ${why}`;
	}

	return gitSettings === undefined
		? `${why.slice(0, 1).toUpperCase()}${why.slice(1)}`
		: `Nothing is put together yet. ${why}`;
};

const approvalTitle = (state: State, refused: {message: string} | undefined): string => {
	const {merge, session} = state;
	if (merge.phase !== 'verified') {
		return 'Merge the result';
	}

	const {agents, files} = merge.built;
	const target = session?.target ?? '';
	const tested = session?.plan.verify.length
		? merge.verified.ok
			? 'checked'
			: 'its check FAILED'
		: 'not checked, since the plan has no verify command';
	const title =
		files === 0
			? `Merge ${agents.join(', ')} into ${target}: nothing to bring, it is all there already (${tested})`
			: `Merge ${agents.join(', ')} into ${target} (${files} ${files === 1 ? 'file' : 'files'}, ${tested})`;
	return refused === undefined ? title : `${title}. The last try was refused: ${refused.message}`;
};

const detailOf = (state: State, item: Item): Record<string, unknown> => {
	switch (item.kind) {
		case 'plan':
			return {warnings: state.session?.warnings ?? []};
		case 'question':
			return questionDetail(item);
		case 'conflict':
			return {
				type: item.type,
				path: item.path,
				...(item.manual.phase === 'open' ? {folder: item.manual.folder} : {}),
			};
		case 'permission':
			return {
				...(item.command === undefined ? {} : {command: item.command}),
				paths: item.paths,
			};
		case 'checkpoint': {
			const {request, changes, tests} = item.said;
			return {
				...(request === undefined ? {} : {request}),
				changes,
				...(tests === undefined ? {} : {tests}),
				...workDetail(state, item.agent),
			};
		}

		case 'review': {
			const report = agentOf(state, item.agent)?.report;
			return {
				deliverables: report?.deliverables ?? [],
				metrics_achieved: report?.metrics_achieved ?? null,
				recommendations: report?.recommendations ?? [],
				...workDetail(state, item.agent),
			};
		}

		case 'delegation':
			return {
				independent: !item.blocks,
				place_free: freePlaces(state) > 0,
				...(item.coordination === undefined ? {} : {coordination: item.coordination}),
			};
		case 'verify':
			return resultDetail(state);
		case 'approval':
			return {
				commit: item.commit,
				tree: item.tree,
				target: state.session?.target,
				tip: item.tip,
				base: state.session?.base,
				...resultDetail(state),
				...(item.refused === undefined ? {} : {refused: item.refused}),
			};
		default:
			return {};
	}
};

const questionDetail = (item: ItemOf<'question'>): Record<string, unknown> => {
	const {type, required, pattern, multi, context} = item.question;
	return {
		group: item.group,
		required,
		...(type === undefined ? {} : {type}),
		...(pattern === undefined ? {} : {pattern}),
		...(multi === undefined ? {} : {multi}),
		...(context === undefined ? {} : {context}),
		asked_at: item.opened,
		deadline: item.deadline,
	};
};

/** What git says of an agent's work, beside what the agent says. */
const workDetail = (state: State, id: string): Record<string, unknown> => {
	const agent = agentOf(state, id);
	const snapshot = agent && lastSnapshot(agent);
	return agent !== undefined && snapshot !== undefined
		? {
				files: snapshot.files,
				outside: snapshot.outside,
				claims: snapshot.claims,
				from: snapshot.ground.base,
				to: snapshot.work,
				...notesDetail([...surfaceNotes(snapshot.surface ?? []), ...workNotes(agent)]),
			}
		: {};
};

const resultDetail = (state: State): Record<string, unknown> => {
	const {merge} = state;
	return merge.phase === 'verified'
		? {
				agents: merge.built.agents,
				files: merge.built.files,
				from: merge.built.tip,
				to: merge.built.commit,
				checked: merge.verified.commands,
				log: merge.verified.log,
				...notesDetail([...surfaceNotes(merge.built.surface ?? []), ...resultNotes(state)]),
			}
		: {};
};

const notesDetail = (notes: readonly string[]): Record<string, unknown> =>
	notes.length === 0 ? {} : {notes};
