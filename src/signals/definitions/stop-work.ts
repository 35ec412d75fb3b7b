import {defineBlock} from '../block.ts';
import {optional, required} from '../fields/fields.ts';
import {anything, text} from '../fields/kinds.ts';

export const stopWork = defineBlock({
	kind: 'stop_work',
	marker: 'STOP_WORK',
	meaning: {kind: 'asks', answer: 'A person decides on'},
	help: 'Say that something blocks you; end your turn after it.',
	tool: {name: 'stop_work'},
	fields: {
		blocker_type: optional(text, 'external_dependency, error or another word'),
		stop_reason: optional(text, 'why you stop, when no blocker type fits'),
		details: required(text, 'what happened and what you tried'),
		blocked_work: optional(text, 'what you could not do'),
		resume_requirements: optional(text, 'what must be true before you go on'),
		state_snapshot: optional(anything, 'what is done, files made, the next task'),
	},
	examples: [
		`[STOP_WORK]
blocker_type: "external_dependency"
details: "need npm install"
state_snapshot: "..."
[/STOP_WORK]
`,
		`[STOP_WORK]
agent_id: AGT-002
stop_reason: error
details: npm audit failed: node_modules is missing
blocked_work: Task D
resume_requirements: npm ci has run
state_snapshot:
  completed: [A, B, C]
  files: [file1, file2]
  directory: /path/to/work
  next: Task D
[/STOP_WORK]
`,
	],
	nearMiss: `[STOP_WORK]
blocker_type: error
[/STOP_WORK]
`,
	told: ({details}) => `stops work: ${details}`,
});
