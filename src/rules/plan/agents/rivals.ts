import type {Finding} from '../finding.ts';
import type {SubtaskEntry} from '../schema.ts';
import {giveIds} from './agent-ids.ts';

/** An agent as a plan file names it: alone in its entry, or as one of the rivals that the entry is given to. */
export type NamedAgent = {
	readonly id: string;
	readonly entry: SubtaskEntry;
	/** Which entry of the file it is, counted from 0, and which of its rivals. */
	readonly at: {readonly index: number; readonly rival?: number};
	/** Id of the first of the rivals. */
	readonly bestOf?: string;
};

/** Returns the agents of a plan file; rivals stand beside each other, and only the first has the id of their entry. */
export const agentsNamed = (entries: readonly SubtaskEntry[]): readonly NamedAgent[] => {
	const further = entries.flatMap(({best_of = []}) => best_of.slice(1).map(() => ({})));
	const ids = giveIds([...entries, ...further]);
	const spare = ids.slice(entries.length);
	return entries.flatMap((entry, index): readonly NamedAgent[] => {
		const id = ids[index] ?? '';
		const {best_of: profiles, ...alone} = entry;
		return profiles === undefined
			? [{id, entry, at: {index}}]
			: profiles.map((agent, rival) => ({
					id: rival === 0 ? id : (spare.shift() ?? ''),
					entry: {...alone, agent},
					at: {index, rival},
					bestOf: id,
				}));
	});
};

/** Finds entries that say twice who does it. */
export const checkRivals = (entries: readonly SubtaskEntry[]): readonly Finding[] =>
	entries.flatMap(({agent, best_of}, index) =>
		agent === undefined || best_of === undefined
			? []
			: [
					{
						level: 'error',
						path: ['agents', index, 'best_of'],
						message: '`best_of` says who does it, so `agent` can’t be used with it.',
						hint: 'Remove one of the two.',
					},
				],
	);
