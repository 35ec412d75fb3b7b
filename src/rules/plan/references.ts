import type {Finding} from './finding.ts';
import type {SubtaskEntry} from './schema.ts';
import {findCycle} from './waiting.ts';

/** Finds what is wrong with the ids of agents and with whom they wait for. */
export const checkReferences = (
	entries: readonly SubtaskEntry[],
	ids: readonly string[],
): readonly Finding[] => [
	...repeatedIds(ids),
	...unknownWaits(entries, ids),
	...circles(entries, ids),
];

const repeatedIds = (ids: readonly string[]): readonly Finding[] =>
	ids.flatMap((id, index) =>
		ids.indexOf(id) === index
			? []
			: [
					{
						level: 'error',
						path: ['agents', index, 'id'],
						message: `Another agent has the id ${id} already.`,
					},
				],
	);

const unknownWaits = (
	entries: readonly SubtaskEntry[],
	ids: readonly string[],
): readonly Finding[] =>
	entries.flatMap(({after}, index) =>
		after.flatMap((id, position) => {
			if (ids.includes(id)) {
				return [];
			}

			const path = ['agents', index, 'after', position];
			return [
				{
					level: 'error' as const,
					path,
					message: `There is no agent ${id}.`,
					hint: `There are: ${[...new Set(ids)].join(', ')}.`,
				},
			];
		}),
	);

const circles = (entries: readonly SubtaskEntry[], ids: readonly string[]): readonly Finding[] => {
	const agents = entries.map(({after}, index) => ({id: ids[index] ?? '', after}));
	const cycle = findCycle(agents);
	if (cycle === undefined) {
		return [];
	}

	const index = ids.findIndex(id => cycle.includes(id));
	const message =
		cycle.length === 2
			? `${cycle[0]} waits for itself.`
			: `These agents wait for each other: ${cycle.join(' → ')}.`;
	return [
		{
			level: 'error',
			path: ['agents', index, 'after'],
			message,
			hint: 'Remove one of these from `after`.',
		},
	];
};
