import type {AgentCommand, Subtask} from '../../../events/plan.ts';
import {vendors} from '../../../events/vendors.ts';
import {isSame} from '../../../lib/values.ts';
import type {PlanFinding} from '../finding.ts';

/** Checks a plan's settings of an agent beyond its program: they need the Agent Client Protocol. */
export const checkAcpOptions = (
	subtask: Subtask,
	existing: ReadonlySet<string>,
): readonly PlanFinding[] => [
	...missingImages(subtask, existing),
	...(subtask.agent.protocol === 'text' ? withoutAcp(subtask) : unaskingMode(subtask)),
];

const missingImages = (
	{id, images = []}: Subtask,
	existing: ReadonlySet<string>,
): readonly PlanFinding[] =>
	images.flatMap((image, index): readonly PlanFinding[] =>
		existing.has(image)
			? []
			: [
					{
						level: 'error',
						path: ['images', index],
						message: `The picture \`${image}\` of ${id} does not exist.`,
					},
				],
	);

const withoutAcp = ({
	id,
	mode,
	mcpServers = [],
	images = [],
	from,
}: Subtask): readonly PlanFinding[] => {
	const given = [
		...(mode === undefined ? [] : ['mode']),
		...(mcpServers.length === 0 ? [] : ['mcp_servers']),
		...(images.length === 0 ? [] : ['images']),
		...(from === undefined ? [] : ['from']),
	];
	return given.map(key => ({
		level: 'warning',
		path: [key],
		message: `\`${key}\` of ${id} is for agents over the Agent Client Protocol; its agent is started as a plain command, which takes none.`,
		hint:
			key === 'images'
				? 'Name the pictures under `inputs`, and it may read them.'
				: 'Take the profile without `-print`.',
	}));
};

/** Finds rivals that can't resume the conversation given to their agent: an agent reads only conversations of its own vendor. */
export const unreadByRivals = (
	{id, from, agent}: Subtask,
	rivals: readonly Subtask[],
): readonly PlanFinding[] =>
	from === undefined || rivals.every(rival => isSame(makeOf(rival.agent), makeOf(agent)))
		? []
		: [
				{
					level: 'error',
					path: ['from'],
					message: `Not every agent in \`best_of\` of ${id} can read the conversation \`${from}\`: they are of different makes.`,
					hint: 'Name profiles of one make, or remove `from` and tell them in `context` what was said.',
				},
			];

const makeOf = (agent: AgentCommand): unknown =>
	(agent.protocol === 'acp' ? agent.vendor : undefined) ?? agent.command;

const unaskingMode = ({id, mode, agent}: Subtask): readonly PlanFinding[] => {
	const vendor = agent.protocol === 'acp' ? agent.vendor : undefined;
	if (mode === undefined || (vendor !== undefined && vendors[vendor].askingModes.includes(mode))) {
		return [];
	}

	return vendor === undefined
		? [
				{
					level: 'warning',
					path: ['mode'],
					message: `It is not known whether the agent of ${id} asks before it acts in the mode \`${mode}\`.`,
				},
			]
		: [
				{
					level: 'error',
					path: ['mode'],
					message: `In the mode \`${mode}\` of ${id}, ${vendor} is not known to ask before it acts.`,
					hint: `Take one of: ${vendors[vendor].askingModes.join(', ')}.`,
				},
			];
};

/** MIME types of the pictures that models read, by file extension. */
export const imageTypes = {
	png: 'image/png',
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	gif: 'image/gif',
	webp: 'image/webp',
} as const;

/** Returns the MIME type of a picture by its file extension. */
export const imageTypeOf = (path: string): string | undefined => {
	const end = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
	return Object.entries(imageTypes).find(([known]) => known === end)?.[1];
};
