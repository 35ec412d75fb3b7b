import {defined} from '../../lib/values.ts';
import {placeholder} from '../fields/unreadable.ts';
import {defineLine} from '../line-signal.ts';

type ErrorSaid = {
	readonly kind: 'error';
	readonly line: number;
	/** `FILE_NOT_FOUND`, `PARSE_ERROR`, `NETWORK_ERROR`, `VALIDATION`, `TIMEOUT` or the agent's own word; null if absent. */
	readonly category: string | null;
	readonly description: string;
	readonly context?: string;
	readonly recovery?: string;
};

export const error = defineLine<ErrorSaid>({
	kind: 'error',
	marker: 'ERROR',
	help: 'Report an error; it is counted and shown, and stops nothing.',
	value: placeholder('CATEGORY - description'),
	fields: {
		category: 'FILE_NOT_FOUND, PARSE_ERROR, NETWORK_ERROR, VALIDATION, TIMEOUT or your own word',
		description: 'what went wrong',
		context: 'where it happened',
		recovery: 'what may help',
	},
	followers: {CONTEXT: 'context', RECOVERY: 'recovery'},
	examples: [
		`ERROR: FILE_NOT_FOUND - Cannot read input plan at /path/to/plan.md
CONTEXT: Phase 2 of implementation workflow
RECOVERY: Verify plan exists and path is correct
`,
		'ERROR: Failed to access URL\n',
	],
	nearMiss: 'Error: Cannot find module\n',
	read: (value, line, below) => {
		const [, category = null, description = value] = CATEGORY.exec(value) ?? [];
		const said = defined({context: below('CONTEXT'), recovery: below('RECOVERY')});
		return {kind: 'error', line, category, description, ...said};
	},
	print: ({category, description, context, recovery}) => ({
		value: category === null ? description : `${category} - ${description}`,
		below: {CONTEXT: context, RECOVERY: recovery},
	}),
	told: ({category, description, context, recovery}) =>
		`error${behind(' ', category)}: ${description}${behind(' · in: ', context)}${behind(' · may help: ', recovery)}`,
});

const behind = (words: string, text: string | null | undefined): string =>
	text ? `${words}${text}` : '';

const CATEGORY = /^\[?([A-Z][A-Z0-9_]*)\]? [-–—] +(\S.*)$/;
