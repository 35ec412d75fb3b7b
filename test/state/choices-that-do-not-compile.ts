import type {careOf} from '../../src/rules/commands/choices.ts';
import type {Decision} from '../../src/rules/commands/command.ts';
import type {ItemOf, Kind} from '../../src/state/item.ts';
import type {ApprovalChoice} from '../../src/state/items/approval.ts';
import {approval} from '../../src/state/items/approval.ts';
import {type ItemKind, plain} from '../../src/state/items/kind.ts';
import {limit} from '../../src/state/items/limit.ts';
import type {State} from '../../src/state/state.ts';

// What the compiler must refuse; `tsc` reads this file, and nothing runs it.

type WithLater = ApprovalChoice | {readonly verb: 'later'};

// @ts-expect-error A choice that nothing handles falls to no other one.
export const unhandled = (state: State, {verb}: WithLater): State => {
	switch (verb) {
		case 'approve':
			return state;
		case 'reject':
			return state;
	}
};

// @ts-expect-error What stands against a choice is told of each, too: none is let through for want of a word.
export const unguarded = ({verb}: WithLater): string | undefined => {
	switch (verb) {
		case 'approve':
			return 'The target has moved.';
		case 'reject':
			return undefined;
	}
};

type Decided = (state: State, item: ItemOf<'approval'>, choice: WithLater, given: never) => State;

// @ts-expect-error What handles the choices of a kind takes no further one.
export const widened: Decided = approval.decided;

type Printed = (choice: WithLater) => string;

// @ts-expect-error A choice is plain where its kind says so of it by name.
export const unnamed: Printed = plain<'approve' | 'reject'>().words;

type Lent = {readonly verb: 'lend'; readonly agent: string};

// @ts-expect-error A choice is not printed without what it names besides its verb.
export const halfPrinted: (choice: Lent) => string = plain<'lend'>().words;

// @ts-expect-error What each choice asks care for is said of each by name.
export const careless: typeof careOf = {merge: 'takes work'};

// @ts-expect-error A kind says what it offers, whom it holds up, its title and what a decision does.
export const bare: ItemKind<'approval'> = {
	...plain<'approve' | 'reject'>(),
	offers: approval.offers,
};

// @ts-expect-error Each kind has its own module.
export const others: {readonly [K in Kind]: ItemKind<K>} = {approval, limit};

// @ts-expect-error A kind can't stand in for another one.
export const another: ItemKind<'approval'> = limit;

// @ts-expect-error An approval is not extended.
export const wrong: Decision<'approval'>['choice'] = {verb: 'extend'};
