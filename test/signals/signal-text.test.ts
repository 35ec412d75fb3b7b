import {expect, test} from 'vitest';
import {signalText} from '../../src/signals/meaning.ts';
import {hear} from '../helpers/given.ts';

test.each([
	[
		'ERROR: TIMEOUT - took too long\nCONTEXT: Phase 2\nRECOVERY: try again\n',
		'error TIMEOUT: took too long · in: Phase 2 · may help: try again',
	],
	['ERROR: it broke\n', 'error: it broke'],
	[
		'CHECKPOINT: Research complete\n- Artifacts: 3\n- Status: Two reports\n',
		'finished Research, 3 artifacts: Two reports',
	],
	['CHECKPOINT: Planning complete\n', 'finished Planning'],
	[
		'| Topic | Status | Path | Summary |\n|---|---|---|---|\n| Auth | done | a.md | x |\n| Log | open | | |\n',
		'gives results: Auth done, Log open',
	],
	[
		'{"status": "complete", "artifacts": [{"path": "a.md"}], "metrics": {"files": 45}}\n',
		'gives results: a.md complete · files: 45',
	],
	['{"status": "failed", "metrics": {"retries": 3}}\n', 'gives results: failed · retries: 3'],
	['{"status": "odd", "artifacts": "none"}\n', 'gives results: odd'],
	['WORKFLOW_COMPLETE\n', 'says that its workflow is complete'],
	['QUESTION_ESCALATED:q7\n', 'leaves its question q7 to a person'],
	['FOO: bar\n', 'FOO: bar'],
	[`SUMMARY: ${'x'.repeat(201)}\n`, `summary, longer than it should be: ${'x'.repeat(201)}`],
	[
		'[SCOPE_REQUEST]\npaths: [a, b]\nreason: mount it\n[/SCOPE_REQUEST]\n',
		'asks to write outside its scope: a, b: mount it',
	],
	[
		'[DELEGATE_WORK]\nnew_task_description: [One, Two]\n[/DELEGATE_WORK]\n',
		'wants to delegate: One · Two',
	],
])('%j is told as a sentence', (text, expected) => {
	expect(hear(text, ['FOO']).map(signalText)).toEqual([expected]);
});
