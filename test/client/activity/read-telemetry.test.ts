import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {readTelemetry} from '../../../src/client/activity/accounts.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

it('tells of each agent what it used up, what it changed, and when it was last told of', async () => {
	const path = join(temporaryFolder(), 'telemetry.ndjson');
	const place = {agent: 'AGT-001', turn: 1};
	const other = {turn: 1, agent: 'AGT-002'};
	const preparing = {at: '2026-01-01T00:00:07.000Z', text: 'checking out 43 of 100 files'};
	const lines = [
		{at: '2026-01-01T00:00:01.000Z', ...place, kind: 'tokens', input: 100, output: 20},
		{at: '2026-01-01T00:00:02.000Z', ...place, kind: 'changed', files: 1, paths: ['a.ts']},
		{at: '2026-01-01T00:00:03.000Z', ...place, kind: 'changed', files: 2, paths: ['a.ts', 'b.ts']},
		{at: '2026-01-01T00:00:04.000Z', ...place, kind: 'thought', offset: 0, text: 'hm'},
		{at: '2026-01-01T00:00:05.000Z', kind: 'health', running: 1},
		{at: '2026-01-01T00:00:06.000Z', kind: 'load', cpu: 12, memory: 99, processes: 2, ...other},
		{...preparing, kind: 'preparing', ...other},
	];
	writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
	const told = await readTelemetry(path);
	expect(told['AGT-002']).toEqual({
		load: {at: '2026-01-01T00:00:06.000Z', turn: 1, cpu: 12, memory: 99, processes: 2},
		preparing,
	});
	expect(told).toMatchObject({
		'AGT-001': {
			at: '2026-01-01T00:00:04.000Z',
			spent: {tokens: 120},
			changed: {files: 2, paths: ['a.ts', 'b.ts']},
		},
	});
});

it('tells nothing where there is no telemetry yet', async () => {
	expect(await readTelemetry(join(temporaryFolder(), 'none'))).toEqual({});
});
