import type {Action, Where} from './action.ts';
import {keySign} from './key-name.ts';

const places: readonly (readonly [Where, string])[] = [
	['everywhere', 'Everywhere'],
	['board', 'On the board'],
	['agent', 'At an agent'],
	['inbox', 'In the inbox'],
	['item', 'At something that waits for you'],
	['log', 'In the log'],
	['help', 'In the list of keys'],
	['writing', 'While you write'],
	['confirming', 'When you are asked whether you mean it'],
	['recording', 'In a recording'],
];

/** Returns the table of keys as Markdown, for the documentation and for people who ask. */
export const keysTable = (actions: readonly Action[]): string =>
	[
		'| where | key | what it does | name |',
		'|---|---|---|---|',
		...places.flatMap(([where, title]) =>
			actions
				.filter(action => action.where.includes(where) && isTold(action))
				.map(action => `| ${title} | ${keysOf(action)} | ${action.help} | \`${action.name}\` |`),
		),
	].join('\n');

/** Numbered actions are told once, and an answer to a key that is for nothing any more is no action. */
const isTold = ({name}: Action): boolean => !/-[2-9]$/.test(name) && name !== 'gone';

const keysOf = ({name, keys}: Action): string =>
	/-1$/.test(name) ? '`1`–`9`' : keys.map(key => `\`${keySign(key)}\``).join(' ');
