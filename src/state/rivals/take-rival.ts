import {enumerated} from '../../lib/text/words.ts';
import {accept, lastSnapshot} from '../agent/agent.ts';
import {whyBadGlobs} from '../items/globs.ts';
import type {Given, Labelled, Offer, Supplied} from '../items/kind.ts';
import {agentOf} from '../select.ts';
import {type State, withAgent} from '../state.ts';
import {
	broughtBy,
	contendersOf,
	partsNamed,
	setAsideFor,
	taken,
	unfinishedRivals,
} from './rivals.ts';

/** A choice about a rival's work besides taking it as it is. */
export type RivalChoice =
	/** Stops rivals that have not finished. */
	| {readonly verb: 'merge-and-stop'}
	/** Takes files or hunks of a rival's work in place of its own; the note may name those of further rivals. */
	| {readonly verb: 'merge-with'; readonly agent: string};

/** Returns the offer to take an agent's work while rivals are still working. */
export const stoppingOffer = (state: State, id: string): Labelled | undefined => {
	const names = setAsideFor(state, id).map(agent => agent.id);
	const unfinished = unfinishedRivals(state, id).map(rival => rival.id);
	return unfinished.length === 0
		? undefined
		: {
				label: `Take this one and stop ${enumerated(unfinished)}; the work of ${enumerated(names)} is kept`,
				ends: names,
			};
};

/** Returns the offers to take an agent's work with parts of its rivals' works. */
export const bringingOffers = (
	state: State,
	id: string,
): readonly Offer<Extract<RivalChoice, {readonly agent: string}>>[] => {
	const bringing = bringingTo(state, id);
	return bringing.map(rival => {
		const other = bringing.find(one => one !== rival);
		const others = other === undefined ? '' : `; ${other}:GLOB takes those of ${other}`;
		const aside = setAsideFor(state, id, [rival]).map(agent => agent.id);
		const unless =
			aside.length === 0 ? '' : `; ${areSetAside(aside)} unless you take a part of it, too`;
		return {
			choice: {verb: 'merge-with', agent: rival},
			label: `Take this one with files or hunks of ${rival}${unless}`,
			ends: aside,
			note: 'required',
			wants: `which files of ${rival} are taken, as globs${others}`,
		};
	});
};

/** Adds to an offer that it sets an agent's rivals aside, if it has any. */
export const settingAside = (state: State, id: string, offer: Labelled): Labelled => {
	const ends = setAsideFor(state, id).map(agent => agent.id);
	return ends.length === 0
		? offer
		: {...offer, label: `${offer.label}; ${areSetAside(ends)}, the work is kept`, ends};
};

/** Returns the rivals of which a part can be taken into an agent's work. */
export const bringingTo = (state: State, id: string): readonly string[] =>
	contendersOf(state, id)
		.filter(rival => (lastSnapshot(rival)?.files ?? 0) > 0)
		.map(rival => rival.id);

const areSetAside = (names: readonly string[]): string =>
	`${enumerated(names)} ${names.length === 1 ? 'is' : 'are'} set aside`;

/** Returns the reason why an agent's work can't be taken yet: no unfinished rival is stopped or dropped without a decision. */
export const whyRivalsOpen = (state: State, id: string): string | undefined => {
	const unfinished = unfinishedRivals(state, id).map(rival => rival.id);
	return unfinished.length === 0
		? undefined
		: `${enumerated(unfinished)} ${unfinished.length === 1 ? 'does' : 'do'} the same and ${unfinished.length === 1 ? 'is' : 'are'} not finished yet.`;
};

/** Returns the reason why parts of rivals' works can't be taken with this input. */
export const whyNotBring = (
	state: State,
	id: string,
	rival: string,
	{note = '', patch, picked, seen: {files = []} = {}}: Supplied,
): string | undefined => {
	const [own = [], ...others] = partsNamed(rival, note).map(({globs}) => globs);
	if ((patch ?? picked) !== undefined && own.length > 0) {
		return `Name the part of ${rival} by globs or by a patch, not by both.`;
	}

	const contenders = contendersOf(state, id).map(one => one.id);
	const along = (picked?.also ?? []).map(({agent}) => agent);
	const brought = [...broughtBy(rival, note, files), ...along];
	const stranger = brought.find(one => !contenders.includes(one));
	const bare = brought.find(one => !files.some(({of = rival}) => of === one));
	const twice = files.find(({path}, at) => files.findIndex(file => file.path === path) !== at);
	return (
		whyBadGlobs([own, ...others].flat().join(' ')) ??
		(stranger && `${stranger} is not a rival of ${id}.`) ??
		(bare && `${bare} changed no file that matches.`) ??
		(twice && `${twice.path} is taken from more than one agent.`)
	);
};

/** Takes one work with parts of its rivals': a named file comes from its rival alone, hunks of a patch are merged with the work's own changes. */
export const takenWith = (
	state: State,
	id: string,
	rival: string,
	{note = '', files = []}: Pick<Given, 'note' | 'files'>,
): State => {
	const beside = broughtBy(rival, note, files);
	if (!beside.every(other => agentOf(state, other))) {
		return state;
	}

	const isWhole = (partsNamed(rival, note)[0]?.globs.length ?? 0) > 0;
	const without = isWhole ? files.map(({path}) => path) : [];
	const {items, ...rest} = taken(state, id, {beside, without}, {beside});
	const left = items.filter(item => !('agent' in item && beside.includes(item.agent ?? '')));
	return beside.reduce<State>(
		(open, other) =>
			withAgent(open, other, agent =>
				accept(agent, {
					files: files.flatMap(({of = rival, ...file}) => (of === other ? file : [])),
					beside: [id],
				}),
			),
		{...rest, items: left},
	);
};
