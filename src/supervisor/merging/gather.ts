import type {Input} from '../../conflicts/input.ts';
import type {TakenFile} from '../../events/event.ts';
import {tipOf} from '../../git/repository/branch.ts';
import {defined} from '../../lib/defined.ts';
import {Failure} from '../../lib/failure.ts';
import {omit} from '../../lib/omit.ts';
import {takesWork} from '../../rules/commands/care.ts';
import type {Command, Decision} from '../../rules/commands/command.ts';
import type {ItemOf} from '../../state/item.ts';
import {globsIn} from '../../state/items/globs.ts';
import type {PickedOf} from '../../state/items/picked.ts';
import {partsNamed} from '../../state/rivals/parts-named.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {arbiterSubtask} from '../arbiter/arbiter-subtask.ts';
import {seeProposal} from '../arbiter/see-proposal.ts';
import {seeResolution} from '../perform/resolution.ts';
import {filesLike, type OtherWork, pickedWork} from '../picking/picked-work.ts';
import {patchOfParts, readPieces} from '../picking/pieces.ts';
import {requireUnmoved} from '../picking/require-unmoved.ts';
import {inputOf} from '../picking/select-work.ts';
import {draftFor, type RequestKind} from '../requests/new-subtask.ts';
import {seeAnswer} from '../requests/see-answer.ts';
import {requireSession} from '../require-session.ts';
import type {Works, World} from '../world.ts';

/**
Looks at the world on behalf of a decision, so that the rules can judge it with facts.

Whoever asks can't bring these facts along: they are what the supervisor itself has just found.
*/
export const gather = async (world: World, state: State, command: Command): Promise<Command> => {
	if (command.kind !== 'decide') {
		return command;
	}

	const decision = omit(command, 'seen');
	const item = itemOf(state, command.item);
	switch (item?.kind) {
		case 'approval': {
			const tip = await tipOf(world.repository, requireSession(state).target);
			return {...decision, seen: defined({tip})};
		}

		case 'conflict':
			return withArbiterSubtask(state, item, await withResolution(world, state, item, decision));
		case 'question':
			return withAnswer(world, state, item, decision);
		case 'delegation':
		case 'blocker':
			return withSubtask(state, decision, item);
		case 'failure':
			return withPicked(world, state, item, withSubtask(state, decision, item));
		case 'review':
			return withPicked(world, state, item, decision);
		case 'plan':
		case 'checkpoint':
		case 'scope':
		case 'permission':
		case 'limit':
		case 'verify':
		case undefined:
			return decision;
	}
};

/** What a person or an arbiter made of a conflict is looked at only where it is to be taken. */
export const withResolution = async (
	works: Works,
	state: State,
	item: ItemOf<'conflict'>,
	decision: Decision,
): Promise<Decision> => {
	if (decision.on !== 'conflict') {
		return decision;
	}

	const {choice} = decision;
	switch (choice.verb) {
		case 'done':
			return {...decision, seen: await seeResolution(works, state, item)};
		case 'take':
			return {...decision, seen: await seeProposal(works, state, item, choice.agent)};
		case 'choose-one':
		case 'manual':
		case 'sequential':
		case 'feedback':
		case 'abort':
		case 'accept':
		case 'check':
		case 'arbiter':
		case 'again':
		case 'drop':
			return decision;
	}
};

/** Who is to settle a conflict may write that alone, whatever else came with the decision. */
const withArbiterSubtask = (state: State, item: ItemOf<'conflict'>, given: Decision): Decision => {
	const decision = omit(given, 'subtask');
	if (decision.on !== 'conflict' || decision.choice.verb !== 'arbiter') {
		return decision;
	}

	const {as} = decision.choice;
	const {note, program} = decision;
	const subtask = arbiterSubtask(state, item, {as, ...defined({program, note})});
	return {...decision, ...defined({subtask})};
};

/** Of an agent's work a part may be taken, by a patch or as it was picked; a choice that takes nothing of it needs neither. */
const withPicked = async (
	{store}: Works,
	state: State,
	{agent: id}: ItemOf<'failure'> | ItemOf<'review'>,
	decision: Decision,
): Promise<Decision> => {
	if (decision.on !== 'failure' && decision.on !== 'review') {
		return decision;
	}

	const {choice, note = ''} = decision;
	const rival = choice.verb === 'merge-with' ? choice.agent : undefined;
	const input = inputOf(state, rival ?? id);
	if (input === undefined || !takesWork(choice)) {
		return decision;
	}

	const named = rival === undefined ? [] : partsNamed(rival, note);
	const works = named.flatMap(({agent, globs}) => {
		const work = inputOf(state, agent);
		return work === undefined ? [] : {input: work, globs};
	});
	const patch = await patchOf(store, input, decision);
	if (patch !== undefined) {
		const files = await pickedWork(store, input, patch, works.slice(1));
		const others = (decision.picked?.also ?? []).map(one => filesPicked(store, state, one));
		return {...decision, seen: {files: [...files, ...(await Promise.all(others)).flat()]}};
	}

	if (rival === undefined) {
		await requireNamed(store, input, choice.verb === 'salvage' ? globsIn(note) : []);
		return decision;
	}

	const own = inputOf(state, id);
	const files = await Promise.all(works.map(work => filesOf(store, work)));
	await (own && requireUnmoved(store, own, files.flat()));
	return {
		...decision,
		seen: {files: files.flatMap((of, at) => (at === 0 ? of.map(unmarked) : of))},
	};
};

/** What names nothing is a slip: taken at its word, it would leave that work out, and what asked about it would be gone. */
const requireNamed = async (
	store: Works['store'],
	input: Input,
	globs: readonly string[],
): Promise<void> => {
	for (const glob of globs) {
		if ((await filesLike(store, input, [glob])).length === 0) {
			const owner = input.owners.join();
			throw new Failure('refused', `${owner} changed no file that \`${glob}\` names.`, {
				hint: `delegate-tui diff ${owner} shows what it changed`,
			});
		}
	}
};

const filesOf = async (
	store: Works['store'],
	{input, globs}: OtherWork,
): Promise<readonly TakenFile[]> =>
	(await filesLike(store, input, globs)).map(file => ({...file, of: input.owners.join()}));

/** The rival that a choice names goes without saying. */
const unmarked = (file: TakenFile): TakenFile => omit(file, 'of');

const patchOf = async (
	store: Works['store'],
	input: Input,
	{patch, picked}: Decision,
): Promise<Buffer | undefined> =>
	picked === undefined
		? patch === undefined
			? undefined
			: Buffer.from(patch, 'latin1')
		: patchPicked(store, input, picked);

/** What is taken of one more rival's work. */
const filesPicked = async (
	store: Works['store'],
	state: State,
	{agent, ...picked}: PickedOf & {readonly agent: string},
): Promise<readonly TakenFile[]> => {
	const input = inputOf(state, agent);
	if (input === undefined) {
		throw new Failure('refused', `There is no work of ${agent} to pick from.`);
	}

	const files = await pickedWork(store, input, await patchPicked(store, input, picked));
	return files.map(file => ({...file, of: agent}));
};

const patchPicked = async (
	store: Works['store'],
	{base, commit, owners}: Input,
	picked: PickedOf,
): Promise<Buffer> => {
	if (picked.work !== commit) {
		throw new Failure(
			'refused',
			`The work of ${owners.join()} is another one than you picked from.`,
			{
				hint: 'look at it again; nothing of it was taken',
			},
		);
	}

	return patchOfParts(await readPieces(store, base, commit), picked.parts);
};

/** An answer is held against what its question asks for. */
export const withAnswer = async (
	{folder}: Pick<World, 'folder'>,
	state: State,
	{question, agent}: ItemOf<'question'>,
	decision: Decision,
): Promise<Decision> => {
	const {scope} = agentOf(state, agent)?.subtask ?? {};
	if (decision.on !== 'question' || scope === undefined) {
		return decision;
	}

	const reach = {tree: folder.agent(agent).tree, scope};
	return {...decision, seen: {answer: await seeAnswer(question, decision.choice.text, reach)}};
};

/** An agent that is added on another's request starts from that one's scope and command. */
const withSubtask = (state: State, decision: Decision, item: ItemOf<RequestKind>): Decision => {
	if (decision.on !== 'delegation' && decision.on !== 'blocker' && decision.on !== 'failure') {
		return decision;
	}

	const draft = draftFor(state, item, decision.choice.verb, decision.note);
	const subtask = draft && (decision.subtask ?? draft);
	return subtask === undefined ? decision : {...decision, subtask};
};
