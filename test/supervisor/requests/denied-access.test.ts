import {expect, test} from 'vitest';
import type {Body} from '../../../src/events/event.ts';
import {reportRefusedHost} from '../../../src/supervisor/requests/denied-access.ts';
import {working} from '../../helpers/given.ts';

const told = (host: string, turn?: number, isLast = false): readonly Body[] => {
	const session = working(['AGT-001']);
	const events: Body[] = [];
	const world = {state: session.state, report: (body: Body) => void events.push(body)};
	const of = {agent: 'AGT-001', ...(turn === undefined ? {} : {turn})};
	reportRefusedHost(world, of, host, isLast);
	return events;
};

const kindsOf = (events: readonly Body[]): readonly string[] => events.map(({kind}) => kind);

test('a host that an agent is refused is asked about while it works, and stands in the log otherwise', () => {
	expect(kindsOf(told('registry.npmjs.org', 1))).toEqual(['access.denied']);
	expect(kindsOf(told('::1', 1))).toEqual(['access.denied']);
	expect(kindsOf(told('registry.npmjs.org'))).toEqual(['scope.left']);
});

test.each(['*.org', '', 'a b', '/srv/db.sock', 'x'.repeat(254)])(
	'nobody is asked to open %j, which names no host',
	host => {
		expect(kindsOf(told(host, 1))).toEqual(['scope.left']);
	},
);

test('the last host that is told of an agent stands in the log, which says so', () => {
	expect(told('registry.npmjs.org', 1, true)).toMatchObject([
		{kind: 'scope.left', path: 'registry.npmjs.org', why: expect.stringMatching(/not listed$/)},
	]);
});
