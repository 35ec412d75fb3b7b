import type {careOf} from '../../src/rules/commands/choices.ts';
import type {Decision} from '../../src/rules/commands/command.ts';
import type {ItemOf, Kind} from '../../src/state/item.ts';
import type {ApprovalChoice} from '../../src/state/items/approval.ts';
import {approval} from '../../src/state/items/approval.ts';
import {type ChoiceTable, type ItemKind, itemKind} from '../../src/state/items/kind.ts';
import {limit} from '../../src/state/items/limit.ts';
import type {State} from '../../src/state/state.ts';

// What the compiler must refuse; `tsc` reads this file, and nothing runs it.

type WithLater = ApprovalChoice | {readonly verb: 'later'};

const nothing = {offer: [], decided: (state: State): State => state};

// @ts-expect-error Each choice has its place in the table: one that nothing handles falls to no other one.
export const unhandled: ChoiceTable<'approval', WithLater> = {
	approve: nothing,
	reword: nothing,
	types: nothing,
	reject: nothing,
};

// @ts-expect-error A choice says what it does.
export const idle: ChoiceTable<'approval', {verb: 'later'}> = {later: {offer: []}};

type Decided = (state: State, item: ItemOf<'approval'>, choice: WithLater, given: never) => State;

// @ts-expect-error What handles the choices of a kind takes no further one.
export const widened: Decided = approval.decided;

type Lent = {readonly verb: 'lend'; readonly agent: string};

// @ts-expect-error A choice is not printed without what it names besides its verb.
export const halfPrinted: ChoiceTable<'approval', Lent> = {lend: nothing};

// @ts-expect-error What each choice asks care for is said of each by name.
export const careless: typeof careOf = {merge: 'takes work'};

// @ts-expect-error A kind says what it is called, whom it holds up and its title.
export const bare = itemKind<'approval', {verb: 'later'}, object>({choices: {later: nothing}});

// @ts-expect-error Each kind has its own module.
export const others: {readonly [K in Kind]: ItemKind<K>} = {approval, limit};

// @ts-expect-error A kind can't stand in for another one.
export const another: ItemKind<'approval'> = limit;

// @ts-expect-error An approval is not extended.
export const wrong: Decision<'approval'>['choice'] = {verb: 'extend'};
