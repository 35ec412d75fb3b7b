import {didYouMean, type PlanFinding} from './finding.ts';
import type {PlanFile} from './schema.ts';

/** Variables that differ between worktrees; every program in a worktree has them. */
export const slotVariables = [
	'DELEGATE_SLOT',
	'DELEGATE_PORT',
	'DELEGATE_PORTS',
	'COMPOSE_PROJECT_NAME',
	'TMPDIR',
] as const;

export type SlotVariables = Readonly<Record<(typeof slotVariables)[number], string>>;

/** Replaces `${NAME}` by the values of a worktree's variables; `$${NAME}` stands for the text `${NAME}`, as in Compose. */
export const fillIn = (text: string, slot: SlotVariables): string =>
	text.replaceAll(/(\$?)(\$\{(\w+)\})/g, (whole, dollar: string, plain: string, name: string) =>
		dollar === '' ? (Object.entries(slot).find(([known]) => known === name)?.[1] ?? whole) : plain,
	);

/** Does the same in each value of an environment. */
export const fillInAll = (
	values: Readonly<Record<string, string>>,
	slot: SlotVariables,
): Readonly<Record<string, string>> =>
	Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fillIn(value, slot)]));

/** Finds unknown names in `${…}`. Other variables of a command are left to its shell. */
export const checkSlotVariables = (plan: PlanFile): readonly PlanFinding[] => {
	const values = [
		...inRecord(plan.env, ['env']),
		...plan.copy.flatMap((entry, index) =>
			typeof entry === 'string' ? [] : inRecord(entry.set, ['copy', index, 'set']),
		),
		...plan.agents.flatMap(({agent}, index) =>
			typeof agent === 'object' ? inRecord(agent.env, ['agents', index, 'agent', 'env']) : [],
		),
	];
	const commands = (['setup', 'verify', 'check'] as const).flatMap(key =>
		(plan[key] ?? []).map((text, index) => ({text, path: [key, index]})),
	);
	return [
		...values.flatMap(({text, path}) =>
			unknownIn(text, /(?<!\$)\$\{([^}]*)\}/g, path, slotVariables),
		),
		...commands.flatMap(({text, path}) => unknownIn(text, /\$\{(DELEGATE_\w*)/g, path, ofCommands)),
	];
};

const ofCommands = [...slotVariables, 'DELEGATE_SESSION', 'DELEGATE_COMMANDS'];

type Text = {readonly text: string; readonly path: PlanFinding['path']};

const inRecord = (
	record: Readonly<Record<string, string>> | undefined,
	path: PlanFinding['path'],
): readonly Text[] =>
	Object.entries(record ?? {}).map(([name, text]) => ({text, path: [...path, name]}));

const unknownIn = (
	text: string,
	pattern: RegExp,
	path: PlanFinding['path'],
	known: readonly string[],
): readonly PlanFinding[] =>
	[...text.matchAll(pattern)]
		.filter(([, name = '']) => !known.includes(name))
		.map(([, name = '']) => {
			const meant = didYouMean(name, known);
			return {
				level: 'error',
				path,
				message: `There is no variable \`\${${name}}\`.`,
				hint:
					meant === undefined
						? `Known here: ${slotVariables.join(', ')}.`
						: `Did you mean \`${meant}\`?`,
			};
		});
