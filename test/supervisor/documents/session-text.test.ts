import {expect, test} from 'vitest';
import {sessionText} from '../../../src/supervisor/documents/registry.ts';
import {accepted} from '../../helpers/given.ts';
import {subtask} from '../../helpers/plan.ts';

/** The names of what stands in a registry, without what was written for this session. */
const fieldsOf = (text: string): readonly string[] =>
	text
		.split('\n')
		.map(line => /^(?:\s*- |#+ |\*\*|\| )[^:|]*(?:: |:$|\|)?/.exec(line)?.[0].trim() ?? line);

test('a session stands in the registry field by field as in the format that was agreed on', () => {
	const session = accepted([
		subtask('AGT-001', {
			subtask: 'Start subtask X',
			scope: {allowed: ['src/module/*', 'tests/test_module/*'], forbidden: ['src/module/old/*']},
		}),
	]);
	const rows = [
		{
			at: '2026-01-01T00:00:01.000Z',
			event: 'SPAWNED',
			agent: 'AGT-001',
			details: 'Start subtask X',
		},
	];
	const text = sessionText(session.state(), rows, '###');

	expect(fieldsOf(text)).toEqual(
		fieldsOf(`**Session ID**: DEL-[timestamp]
**Created**: [ISO timestamp]
**Parent Task**: [from docs/01_progress.md]
**Parent Agent**: Main session
**Status**: ACTIVE

### Configuration
- Max Parallel Agents: 3
- Agent Timeout: 3600s
- Human Approval Required: Yes

### Agents

#### AGT-001
- **Subtask**: [description]
- **Status**: RUNNING
- **Scope**:
  - Allowed: src/module/*, tests/test_module/*
  - Forbidden: docs/01_progress.md, .claude/**
- **Spawned**: [timestamp]
- **Last Activity**: [timestamp]
- **Checkpoints**: 0
- **Output**: pending

### Completed Agents
None.

### Session Events Log
| Timestamp | Event | Agent | Details |
|-----------|-------|-------|---------|
| 2026-01-01T00:00:01.000Z | SPAWNED | AGT-001 | Start subtask X |`),
	);
	expect(text).toContain('- **Spawned**: 2026-01-01T00:00:01.000Z\n');
	expect(text).toContain('- Max Parallel Agents: 3\n- Agent Timeout: 3600s\n');
	expect(text).toContain('  - Allowed: src/module/*, tests/test_module/*\n');
	expect(text).toMatch(
		/- Forbidden: src\/module\/old\/\*, docs\/01_progress\.md, .*\.claude\/\*\*.*, \.git\/\*\*$/m,
	);
});
