import {choicesOf, type Verb} from '../../rules/commands/choices.ts';
import {agentOfItem, type Item, itemPrefix} from '../../state/item.ts';
import {isBreakage} from '../../state/items/conflict/breakage.ts';
import {kindOf} from '../../state/items.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {actions} from '../../tui/keys.ts';
import type {View} from '../../tui/model/view.ts';
import {waysOf} from '../../tui/model/ways.ts';
import {keySign} from '../../tui/terminal/key-name.ts';
import {readLastSession} from '../here.ts';
import {openScreen} from '../show-session.ts';
import {conclude, enter, printTheWayBack, startScene} from './play.ts';
import {makePlayground} from './playground.ts';
import type {DemoScene} from './scenes.ts';

/**
Plays a scene in a throwaway repository, on the screen, with the person deciding; the last line names the merge.

If they leave the session, it continues like any other, and they are told the way back.

@throws `Failure` of kind `refused` if the session ended without a merge.
*/
export const playOnScreen = async (scene: DemoScene, {fast}: {fast: boolean}): Promise<void> => {
	const playground = await makePlayground(scene, fast ? 0 : 1);
	const here = await enter(playground);
	const {session, config} = await startScene(scene, playground, here, {demo: false});
	await openScreen(here, session, config, {hint});
	const {state} = (await readLastSession(here)) ?? session;
	if (state.session?.ended) {
		conclude(scene, playground, state);
	} else {
		printTheWayBack(playground);
	}
};

/** Returns a hint for a person who sees the screen for the first time, in at most 71 characters. */
export const hint = (state: State, view: View): string => {
	const {place, dialog} = view;
	if (dialog.kind === 'confirm') {
		return `${key(dialog.apart ? 'yes-with-that' : 'yes')} if you mean it, ${key('no')} if not`;
	}

	if (dialog.kind === 'search' || dialog.kind === 'palette') {
		return `${key('search-words')} goes to the first match, ${key('stop-writing')} stops searching`;
	}

	if ('draft' in dialog && place.at !== 'plan') {
		return `${key('send')} sends what you write, ${key('stop-writing')} keeps it for later`;
	}

	switch (place.at) {
		case 'item': {
			const item = itemOf(state, place.item);
			return item === undefined ? `${key('back')} goes back` : deciding(state, item);
		}

		case 'plan':
			return `${key('write-next')} goes to the next field, ${key('done-writing')} ends writing; ${key('run-plan')} hands it in, ${key('leave')} leaves`;
		case 'questions':
			return place.item === undefined
				? `${key('take')} gives all answers at once`
				: `${key('choose-next')} goes to an option, ${key('take')} takes it; at the end all are given`;
		case 'inbox':
			return state.items.length === 0
				? `${key('back')} goes back to the board`
				: `${key('next-item')} ${key('previous-item')} go up and down, ${key('open-item')} opens one`;
		case 'agent':
			return `${key('work')} changes between transcript and diff; ${key('back')} goes back`;
		case 'check':
			return state.items.length === 0
				? `wait until it has ended, or ${key('back')} goes back`
				: `${key('next')} opens the result; ${key('back')} goes back`;
		case 'hunks':
			return place.of === 'work'
				? 'y takes a part, n leaves it out, f takes the file; d is done'
				: 'l and r take a side, L both; n goes to the next hunk, d is done with the file.';
		case 'matrix':
			return `${key('next-cell')} goes to the next pair, ${key('findings')} lists what collides`;
		case 'answers':
			return `${key('find')} looks for words; ${key('back')} goes back`;
		case 'log':
		case 'findings':
		case 'help':
			return `${key('row-down-arrow')} ${key('row-up-arrow')} scroll; ${key('back')} goes back`;
		case 'board':
			return onBoard(state);
	}
};

/** Returns the key of an action, in the form of the screen. */
const key = (name: string): string =>
	keySign(actions.find(action => action.name === name)?.keys[0] ?? name);

/** Returns the key that selects a choice, and the one that takes it. */
const taking = (verb: Verb): string => `${key(verb)} ${key('take')}`;

const onBoard = (state: State): string => {
	const [next] = state.items;
	if (next !== undefined) {
		return `${key('next')} opens ${nameOf(next)}`;
	}

	const {session, merge, agents} = state;
	if (session?.ended) {
		return `${key('log')} shows every event; ${key('leave')} leaves and says what was merged`;
	}

	if (merge.phase === 'built') {
		return `wait: all of it is checked before you are asked; ${key('check')} shows the check`;
	}

	const violator = agents.find(({violations: left}) => left.length > 0);
	return violator === undefined
		? `${key('look')} opens one agent, ${key('keys')} lists all keys`
		: `${key('log')} shows how ${violator.id} left its scope, and what was done about it`;
};

/** Returns the name of an item, for a person who never saw one. */
const nameOf = (item: Item): string => {
	switch (item.kind) {
		case 'plan':
			return 'the plan; no agent starts before you say yes to it';
		case 'question':
			return `the question of ${item.agent}, which waits and does not guess`;
		case 'review':
			return `the finished work of ${item.agent}, for you to review`;
		case 'failure':
			return `the failure of ${item.agent}; its work is not lost`;
		case 'conflict':
			return `the collision of ${item.a.join('+')} and ${item.b.join('+')}`;
		case 'verify':
			return 'what the check said; nothing was merged';
		case 'approval':
			return 'the result; it is merged if you approve, and only then';
		default:
			return `${kindOf(item).called} of ${agentOfItem(item)}`;
	}
};

/** Returns how to decide an item, with the choices that the scene is made for. */
const deciding = (state: State, item: Item): string => {
	switch (item.kind) {
		case 'plan':
			return `read who may write where; ${taking('approve')} starts the agents`;
		case 'question':
			return item.question.options.length > 0
				? `${key('choose-next')} to an option, then ${key('take')}; the agent writes your answer down`
				: `write your answer, then ${key('send')}`;
		case 'checkpoint':
			return `${taking('continue')} lets it go on; ${key('help')} does so with advice that you write`;
		case 'review':
			return `read its diff; ${taking('merge')} accepts it, ${key('feedback')} sends it back with a note`;
		case 'permission':
		case 'scope':
			return `${taking('once')} allows it this once; ${taking('refuse')} refuses it`;
		case 'blocker':
			return `${key('resolved')} tells it that the blocker is gone`;
		case 'delegation':
			return `${taking('approve')} adds an agent for it; ${key('reject')} says no, with your reason`;
		case 'limit':
			return `${taking('extend')} extends its limit by the same amount`;
		case 'failure':
			return `${taking('retry')} starts it again, ${taking('salvage')} takes its work, ${key('redistribute')} hands its task on`;
		case 'conflict':
			return isBreakage(item) && item.checking === undefined
				? `${key('outcome')} shows the outcome of a choice, ${key('check-outcome')} there has it checked`
				: `you want both: ${numberOf(state, item, 'redo')}, then ${key('take')}, and one agent joins them`;
		case 'verify':
			// A scene continues after one failed check; the person's own solution may keep failing.
			return (state.counts[itemPrefix.verify] ?? 0) > 1
				? `it failed again: ${key('feedback')} sends it back once more, ${taking('accept')} continues anyway`
				: `read what failed; ${key('feedback')} sends the agents back with it`;
		case 'approval':
			return state.merge.phase === 'verified' && state.merge.verified.ok
				? `look at the whole diff; ${taking('approve')} merges exactly this`
				: `its check failed: ${taking('reject')} goes back to the reviews`;
		default:
			return `${key('choose-next')} goes to a choice, ${key('take')} takes it`;
	}
};

/** Returns the keys that select the first choice with a verb: the number of its group, pressed once for each choice of the group up to it. */
const numberOf = (state: State, item: Item, wanted: Verb): string => {
	const place = choicesOf(state, item).findIndex(({verb}) => verb === wanted);
	const ways = waysOf(state, item.id);
	const way = ways.findIndex(({choices}) => choices.includes(place));
	return Array.from(
		{length: (ways[way]?.choices.indexOf(place) ?? 0) + 1},
		() => `${way + 1}`,
	).join(' ');
};
