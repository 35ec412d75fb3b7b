import type {OfferedChoice} from '../../rules/commands/choices.ts';
import {handMadeIn, type ItemOf} from '../../state/item.ts';
import {fileFolderClashIn} from '../../state/items/conflict/breakage.ts';
import {checkingOf} from '../../state/items/conflict/conflict.ts';
import {checkWords} from '../../state/items/conflict/outcome-check.ts';
import {choiceName} from '../formatting/choice-rows.ts';
import {inRecording, notLive, openItem} from '../model/open-item.ts';
import {toHunks} from '../model/selection.ts';
import {type Action, type Context, type ItemPlace, type Outcome, showing} from '../model/view.ts';
import {shownOrder} from '../model/ways.ts';
import {choiceInSight, showsOutcome} from '../screens/items/conflict.ts';

type AtConflict = {readonly place: ItemPlace; readonly item: ItemOf<'conflict'>};

const conflictHere = ({model, view}: Context): AtConflict | undefined => {
	const {place} = view;
	const open = place.at === 'item' ? openItem(model.state, place) : undefined;
	return place.at === 'item' && open?.freshness !== 'gone' && open?.item.kind === 'conflict'
		? {place, item: open.item}
		: undefined;
};

/** Returns whether the screen shows only the result of a choice. */
const isAtOutcome = (context: Context): boolean => conflictHere(context)?.place.shows === 'outcome';

const seesOutcome = (context: Context): boolean => {
	const place = conflictHere(context)?.place;
	return place !== undefined && showsOutcome(context.view, place);
};

const handMadeFile = (context: Context): string | undefined => {
	const item = conflictHere(context)?.item;
	return item?.manual.phase === 'open' && fileFolderClashIn(item) === undefined
		? `${handMadeIn(item.manual)}/${item.path}`
		: undefined;
};

const choiceHere = (context: Context): OfferedChoice | undefined => {
	const at = conflictHere(context);
	return at && choiceInSight(context.model.state, at.item, at.place);
};

/** Checks the result of a choice; the item stays undecided. */
const checkOutcome = (context: Context): Outcome => {
	const {view} = context;
	const item = conflictHere(context)?.item;
	const chosen = choiceHere(context);
	if (item === undefined || chosen === undefined) {
		return view;
	}

	const {choice} = chosen;
	const checking = checkingOf(item, choice);
	const isRunning = checking !== undefined && checking.result === undefined;
	const asked = checkWords(isRunning ? null : choice);
	const request = {do: 'decide', item: item.id, choice: asked, by: 'user'} as const;
	const done = isRunning
		? 'its check is stopped'
		: `its check runs: ${choiceName(context.model.state, 'conflict', chosen)}`;
	return {view, effects: [{do: 'ask', request, done}]};
};

/** Actions at a conflict besides its choices. */
export const conflictActions: readonly Action[] = [
	{
		...{name: 'outcome', keys: ['P'], label: 'preview'},
		help: 'see what the file becomes with this choice; again: both sides',
		where: ['item'],
		when: context => conflictHere(context) !== undefined,
		run: context => (isAtOutcome(context) ? toFacts(context) : toOutcome(context)),
	},
	{
		...{name: 'sides', keys: ['esc', 'b'], label: 'back'},
		help: 'go back to both sides',
		where: ['item'],
		when: isAtOutcome,
		run: context => toFacts(context),
	},
	{
		...{name: 'hunks', keys: ['m'], label: 'hunk by hunk'},
		help: 'settle the conflict hunk by hunk: left, right, both, base, or your own text',
		where: ['item'],
		when: context => (conflictHere(context)?.item.manual.phase ?? 'none') !== 'none',
		whyNot: inRecording,
		run: context => {
			const place = conflictHere(context)?.place;
			return place === undefined ? context.view : toHunks(context.view, place);
		},
	},
	{
		...{name: 'open-editor', keys: ['e'], label: 'editor'},
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

/** Actions on the result of a choice before it is taken; they come last, so that a narrow footer shows how to take it. */
export const outcomeActions: readonly Action[] = [
	{
		...{name: 'check-outcome', keys: ['v'], label: 'check it'},
		help: 'run the check on the outcome of this choice; again: stop it',
		where: ['item'],
		when: seesOutcome,
		whyNot: context =>
			notLive(context) ??
			(choiceHere(context) === undefined ? 'Go to a choice first, with ↑ and ↓.' : undefined),
		run: checkOutcome,
	},
];

const toFacts = ({view}: Context): Outcome => showing(view, {shows: 'facts'});

/** Shows the result of the selected choice, or of the likely one. A resolution by hand is shown, too, but the person has to select it before Enter takes it. */
const toOutcome = (context: Context): Outcome => {
	const {model, view} = context;
	const at = conflictHere(context);
	const [likely] = shownOrder(model.state, at?.item.id ?? '');
	const cursor = at?.place.cursor ?? (at?.item.manual.phase === 'open' ? undefined : likely);
	return {...showing(view, {shows: 'outcome', cursor}), looks: view.looks + 1};
};
