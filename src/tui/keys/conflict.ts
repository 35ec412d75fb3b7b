import {handMadeIn, type ItemOf} from '../../state/item.ts';
import {fileFolderClashIn} from '../../state/items/conflict/breakage.ts';
import {checkingOf} from '../../state/items/conflict/conflict.ts';
import {checkWords} from '../../state/items/conflict/outcome-check.ts';
import {inRecording, notLive, openItem} from '../model/open-item.ts';
import {toHunks} from '../model/selection.ts';
import {
	type Action,
	type Context,
	type ItemPlace,
	type Outcome,
	only,
	showing,
} from '../model/view.ts';
import {choiceInSight} from '../screens/items/conflict.ts';

type AtConflict = {readonly place: ItemPlace; readonly item: ItemOf<'conflict'>};

const conflictHere = ({model, view}: Context): AtConflict | undefined => {
	const {place} = view;
	const open = place.at === 'item' ? openItem(model.state, place) : undefined;
	return place.at === 'item' && open?.freshness !== 'gone' && open?.item.kind === 'conflict'
		? {place, item: open.item}
		: undefined;
};

const showsOutcome = (context: Context): boolean =>
	conflictHere(context)?.place.shows === 'outcome';

const handMadeFile = (context: Context): string | undefined => {
	const item = conflictHere(context)?.item;
	return item?.manual.phase === 'open' && fileFolderClashIn(item) === undefined
		? `${handMadeIn(item.manual)}/${item.path}`
		: undefined;
};

const choiceHere = (context: Context): string | undefined => {
	const at = conflictHere(context);
	return at && choiceInSight(context.model.state, at.item, at.place)?.choice;
};

/** Nothing is decided by it: the item stays as it is. */
const checkOutcome = (context: Context): Outcome => {
	const {view} = context;
	const item = conflictHere(context)?.item;
	const choice = choiceHere(context);
	if (item === undefined || choice === undefined) {
		return only(view);
	}

	const checking = checkingOf(item, choice);
	const isRunning = checking !== undefined && checking.result === undefined;
	const asked = checkWords(isRunning ? null : choice);
	const request = {do: 'decide', item: item.id, choice: asked, by: 'user'} as const;
	const done = isRunning ? 'its check is stopped' : `its check runs: ${choice}`;
	return {view, effects: [{do: 'ask', request, done}]};
};

/** What a person does at a conflict besides deciding it. */
export const conflictActions: readonly Action[] = [
	{
		name: 'outcome',
		keys: ['p'],
		label: 'preview',
		help: 'see what the file becomes with this choice; again: both sides',
		where: ['item'],
		when: context => conflictHere(context) !== undefined,
		run: context => (showsOutcome(context) ? toFacts(context) : toOutcome(context)),
	},
	{
		name: 'sides',
		keys: ['esc', 'b'],
		label: 'back',
		help: 'go back to both sides',
		where: ['item'],
		when: showsOutcome,
		run: context => toFacts(context),
	},
	{
		name: 'hunks',
		keys: ['m'],
		label: 'hunk by hunk',
		help: 'settle the conflict hunk by hunk: left, right, both, base, or what you write',
		where: ['item'],
		when: context => (conflictHere(context)?.item.manual.phase ?? 'none') !== 'none',
		whyNot: inRecording,
		run: context => {
			const place = conflictHere(context)?.place;
			return only(place === undefined ? context.view : toHunks(context.view, place));
		},
	},
	{
		name: 'open-editor',
		keys: ['e'],
		label: 'editor',
		help: 'open the file in your editor, the one in $VISUAL or $EDITOR',
		where: ['item'],
		when: context => handMadeFile(context) !== undefined,
		whyNot: inRecording,
		run: context => {
			const file = handMadeFile(context);
			return {view: context.view, effects: file === undefined ? [] : [{do: 'edit', file}]};
		},
	},
];

/** What can be asked of an outcome before it is taken; a narrow footer rather shows how to take it. */
export const outcomeActions: readonly Action[] = [
	{
		name: 'check-outcome',
		keys: ['v'],
		label: 'check it',
		help: 'run the check on what this choice comes to; again: stop it',
		where: ['item'],
		when: showsOutcome,
		whyNot: context =>
			notLive(context) ??
			(choiceHere(context) === undefined ? 'Go to a choice first, with ↑ and ↓.' : undefined),
		run: checkOutcome,
	},
];

const toFacts = ({view}: Context): Outcome => only(showing(view, {shows: 'facts'}));

/** Nothing is decided by looking, so whoever has gone to no choice yet is taken to the first one. */
const toOutcome = (context: Context): Outcome => {
	const {view} = context;
	const at = conflictHere(context);
	const cursor = at?.item.manual.phase === 'open' ? at.place.cursor : (at?.place.cursor ?? 0);
	return only({...showing(view, {shows: 'outcome', cursor}), looks: view.looks + 1});
};
