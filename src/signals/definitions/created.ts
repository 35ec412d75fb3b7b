import {defineValueLine} from '../line-signal.ts';

export const created = defineValueLine({
	kind: 'created',
	marker: 'CREATED',
	help: 'Name a file you made.',
	value: 'path of the file',
	examples: [
		'CREATED: /home/benjamin/.config/.claude/specs/042_auth/reports/001_patterns.md\n',
		'CREATED: src/limit/bucket.ts\n',
	],
	nearMiss: 'Created: src/limit/bucket.ts\n',
});
