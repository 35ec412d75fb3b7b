import {expect, test} from 'vitest';
import type {Body} from '../../../src/events/event.ts';
import {reportSurvivors} from '../../../src/supervisor/machine/survivors.ts';
import {planned} from '../../helpers/given.ts';

test('what survived is told, also when nothing of it is left any more, and silence says nothing', () => {
	const given = planned(['AGT-001', 'AGT-002']);
	const told: Body[] = [];
	const world = {
		state: given.state,
		report: (body: Body) => {
			told.push(body);
			given.tell(body);
		},
	};
	const left = {pid: 7, startTime: '1', command: 'sleep 1000'};
	reportSurvivors(world, 'AGT-001', []);
	expect(told).toEqual([]);
	reportSurvivors(world, 'AGT-001', [left]);
	reportSurvivors(world, 'AGT-002', []);
	reportSurvivors(world, null, []);
	reportSurvivors(world, 'AGT-001', []);
	reportSurvivors(world, 'AGT-001', []);
	const survivors = {kind: 'machine.survivors', agent: 'AGT-001'};
	expect(told).toEqual([
		{...survivors, processes: [left]},
		{...survivors, processes: []},
	]);
});
