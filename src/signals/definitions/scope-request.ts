import {defineBlock} from '../block.ts';
import {optional, required} from '../fields/fields.ts';
import {list, text} from '../fields/kinds.ts';

export const scopeRequest = defineBlock({
	kind: 'scope_request',
	marker: 'SCOPE_REQUEST',
	meaning: {kind: 'asks', answer: 'A person decides on'},
	help: 'Ask to write outside your scope; a person decides.',
	tool: {name: 'scope'},
	fields: {
		paths: required(list, 'a path or glob you need'),
		reason: optional(text, 'why you need it'),
	},
	examples: [
		`[SCOPE_REQUEST]
paths: [src/server.ts]
reason: The limiter must be mounted there
[/SCOPE_REQUEST]
`,
		`[SCOPE_REQUEST]
agent_id: AGT-003
paths:
  - docs/limits.md
  - "test/helpers/**"
[/SCOPE_REQUEST]
`,
	],
	nearMiss: `[SCOPE_REQUEST]
reason: I would like more room
paths: []
[/SCOPE_REQUEST]
`,
	told: ({paths, reason}) =>
		`asks to write outside its scope: ${paths.join(', ')}${reason ? `: ${reason}` : ''}`,
});
