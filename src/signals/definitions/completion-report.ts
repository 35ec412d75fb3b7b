import {defineBlock} from '../block.ts';
import {defaulted, optional, required} from '../fields/fields.ts';
import {anything, choice, list} from '../fields/kinds.ts';

export const completionReport = defineBlock({
	kind: 'completion_report',
	marker: 'COMPLETION_REPORT',
	meaning: {kind: 'concludes'},
	help: 'Say how your work ended; nothing after it is expected.',
	tool: {name: 'complete'},
	fields: {
		status: required(choice('success', 'partial', 'failed'), 'how it ended'),
		deliverables: defaulted(list, [], 'a file you made or changed'),
		metrics_achieved: optional(anything, 'what you measured against the success criteria'),
		recommendations: defaulted(list, [], 'what should be done next'),
	},
	examples: [
		`[COMPLETION_REPORT]
agent_id: AGT-001
status: "success"
deliverables: [src/limit/bucket.ts, test/limit/bucket.test.ts]
metrics_achieved: "coverage 94 %"
recommendations: [Add a dashboard]
[/COMPLETION_REPORT]
`,
		`[COMPLETION_REPORT]
status: partial
deliverables:
  - src/limit/bucket.ts
metrics_achieved:
  coverage: 61
  p99_ms: 0.8
recommendations:
  - Fix the clock: it jumps in tests
[/COMPLETION_REPORT]
`,
	],
	nearMiss: `[COMPLETION_REPORT]
deliverables: [src/limit/bucket.ts]
[/COMPLETION_REPORT]
`,
	told: ({status}) => `reports completion: ${status}`,
});
