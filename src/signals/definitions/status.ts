import {defineValueLine} from '../line-signal.ts';

export const status = defineValueLine({
	kind: 'status',
	marker: 'STATUS',
	help: 'Say in a word where you stand; a report is what ends your work.',
	value: 'complete or another word',
	examples: ['STATUS: complete\n', 'STATUS: waiting for the tests\n'],
	nearMiss: 'The STATUS: complete\n',
});
