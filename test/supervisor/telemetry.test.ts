import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {openTelemetry} from '../../src/supervisor/telemetry.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const now = () => '2026-01-01T00:00:00.000Z';

it('telemetry is one object a line, after what was there before', async () => {
	const path = join(temporaryFolder(), 'telemetry.ndjson');
	for (const turn of [1, 2]) {
		const telemetry = openTelemetry(path, {now, onTrouble: never});
		telemetry.write({agent: 'AGT-001', turn, offset: 0, kind: 'thought', text: 'a\nb'});
		await telemetry.close();
	}

	expect(readFileSync(path, 'utf8')).toBe(
		[1, 2]
			.map(
				turn =>
					`{"at":"${now()}","agent":"AGT-001","turn":${turn},"offset":0,"kind":"thought","text":"a\\nb"}\n`,
			)
			.join(''),
	);
});

it('telemetry that is not used makes no file', async () => {
	const path = join(temporaryFolder(), 'telemetry.ndjson');
	await openTelemetry(path, {now, onTrouble: never}).close();
	expect(existsSync(path)).toBe(false);
});

it('telemetry that can’t be written tells of it once and holds nobody up', async () => {
	const troubles: unknown[] = [];
	const path = join(temporaryFolder(), 'nowhere', 'telemetry.ndjson');
	const telemetry = openTelemetry(path, {now, onTrouble: error => troubles.push(error)});
	telemetry.write({agent: 'AGT-001', turn: 1, offset: 0, kind: 'thought'});
	telemetry.write({agent: 'AGT-001', turn: 1, offset: 0, kind: 'thought'});
	await telemetry.close();
	expect(troubles).toHaveLength(1);
});

const never = (): never => expect.unreachable();
