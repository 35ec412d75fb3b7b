import {defineBlock} from '../block.ts';
import {defaulted, optional, required} from '../fields/fields.ts';
import {list, text} from '../fields/kinds.ts';

export const finding = defineBlock({
	kind: 'finding',
	marker: 'FINDING',
	meaning: {kind: 'informs'},
	help: 'Tell what you found out that matters beyond your subtask: the person reads it, other agents don’t. You go on.',
	tool: {name: 'finding'},
	fields: {
		finding: required(text, 'what you found out'),
		topic: optional(text, 'what it is about, in a word or two'),
		files: defaulted(list, [], 'a file it is about'),
	},
	examples: [
		`[FINDING]
finding: The clock jumps in tests, so the limiter must take the time as an argument
topic: time
files: [src/limit/bucket.ts]
[/FINDING]
`,
		`[FINDING]
agent_id: AGT-002
finding: npm ci needs Node.js 22
[/FINDING]
`,
	],
	nearMiss: `[FINDING]
topic: time
files: [src/limit/bucket.ts]
[/FINDING]
`,
	told: ({finding}) => `found out: ${finding}`,
});
