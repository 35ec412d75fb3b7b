import {expect, test} from 'vitest';
import type {Body} from '../../../src/events/event.ts';
import {reportRefusedHost} from '../../../src/supervisor/requests/denied-access.ts';
import {working} from '../../helpers/given.ts';

const told = (host: string, turn?: number): readonly string[] => {
	const session = working(['AGT-001']);
	const events: Body[] = [];
	const world = {state: session.state, report: (body: Body) => void events.push(body)};
	reportRefusedHost(world, {agent: 'AGT-001', ...(turn === undefined ? {} : {turn})}, host);
	return events.map(({kind}) => kind);
};

test('a host that an agent is refused is asked about while it works, and stands in the log otherwise', () => {
	expect(told('registry.npmjs.org', 1)).toEqual(['access.denied']);
	expect(told('::1', 1)).toEqual(['access.denied']);
	expect(told('registry.npmjs.org')).toEqual(['scope.left']);
});

test.each(['*.org', '', 'a b', '/srv/db.sock', 'x'.repeat(254)])(
	'nobody is asked to open %j, which names no host',
	host => {
		expect(told(host, 1)).toEqual(['scope.left']);
	},
);
