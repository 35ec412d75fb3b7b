import {defineValueLine} from '../line-signal.ts';

export const title = defineValueLine({
	kind: 'title',
	marker: 'TITLE',
	help: 'Name what you made.',
	value: 'a title',
	examples: ['TITLE: Authentication Patterns Analysis\n', 'TITLE: Authentication Report\n'],
	nearMiss: 'TITLE - Authentication Report\n',
});
