import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Body} from '../../../src/events/event.ts';
import {groupsContainment} from '../../../src/lib/process/containment.ts';
import {reportDenied, reportRefusedHost} from '../../../src/supervisor/requests/denied-access.ts';
import {working} from '../../helpers/given.ts';
import {subtask} from '../../helpers/plan.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const told = (host: string, turn?: number, isLast = false): readonly Body[] => {
	const session = working(['AGT-001']);
	const events: Body[] = [];
	const world = {state: session.state, report: (body: Body) => void events.push(body)};
	const of = {agent: 'AGT-001', ...(turn === undefined ? {} : {turn})};
	reportRefusedHost(world, of, host, isLast);
	return events;
};

test('what the plan forbids an agent is told once where it tried, and nobody is asked', () => {
	const session = working([
		subtask('AGT-001', {scope: {allowed: ['src/**'], forbidden: ['src/legacy/**']}}),
	]);
	const tree = temporaryFolder();
	const closed = join(tree, 'src/legacy');
	mkdirSync(closed, {recursive: true});
	const containment = {
		...groupsContainment('for a test'),
		box: [
			{path: tree, as: 'own'},
			{path: closed, as: 'closed'},
		] as const,
	};
	const parts = {containment, tree, agent: 'AGT-001', turn: 1, environment: {}};
	for (const path of ['src/legacy/a.ts', 'src/legacy/b.ts', 'src/a.ts']) {
		for (const to of ['read', 'write'] as const) {
			reportDenied({state: session.state, report: session.tell}, parts, {
				...{path: join(tree, path), to},
			});
		}
	}

	const last = session.events().filter(({kind}) => ['scope.left', 'access.denied'].includes(kind));
	expect(last).toMatchObject([
		{kind: 'scope.left', path: 'src/legacy', change: 'refused', why: 'forbidden'},
	]);
});

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
