import {statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {emptyState, type State} from '../../../src/state/state.ts';
import {keepEnvironments} from '../../../src/supervisor/machine/environments.ts';
import {requireSession} from '../../../src/supervisor/world.ts';
import {planned} from '../../helpers/given.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const first = planned(['AGT-001']).state();
const {plan} = requireSession(first);
const editedPlan = {...plan, task: 'Something else'};

/** The state after a restart: its plan has been through the journal. */
const edited: State = {
	...first,
	session: {...requireSession(first), plan: JSON.parse(JSON.stringify(editedPlan))},
};

test('each plan has the environments that came with it, after a restart as well', async () => {
	const file = join(temporaryFolder(), 'environments.json');
	let believed = emptyState;
	const kept = await keepEnvironments(file, () => believed);
	expect(kept.get('AGT-001')).toEqual({});
	believed = first;
	expect(kept.get('AGT-001')).toEqual({});
	await Promise.all([
		kept.keep(plan, {'AGT-001': {KEY: 'one'}}),
		kept.keep(editedPlan, {'AGT-001': {KEY: 'two'}}),
	]);
	for (const {get} of [kept, await keepEnvironments(file, () => believed)]) {
		believed = first;
		expect(get('AGT-001')).toEqual({KEY: 'one'});
		believed = edited;
		expect(get('AGT-001')).toEqual({KEY: 'two'});
	}

	expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a file that can’t be read is no empty one', async () => {
	const file = join(temporaryFolder(), 'environments.json');
	writeFileSync(file, '{"half');
	await expect(keepEnvironments(file, () => first)).rejects.toMatchObject({
		message: expect.stringContaining(file),
	});
});
