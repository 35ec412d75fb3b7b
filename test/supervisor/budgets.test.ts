import {appendFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import type {Body} from '../../src/events/event.ts';
import {nothingSpent, withPayment} from '../../src/state/agent/spending.ts';
import {keepBudgets} from '../../src/supervisor/budgets.ts';
import {working} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const spender = async (lines: readonly string[] = []) => {
	const told: Body[] = [];
	const session = working([subtask('AGT-001', {tokens: 1000})]);
	const telemetry = join(temporaryFolder(), 'telemetry.ndjson');
	if (lines.length > 0) {
		appendFileSync(telemetry, lines.map(line => `${line}\n`).join(''));
	}

	const report = (body: Body): void => {
		told.push(body);
		session.tell(body);
	};

	const budgets = await keepBudgets(telemetry, {state: session.state, report});
	const uses = (total: number) => budgets.hear('AGT-001', 1, {kind: 'tokens', total});
	return {told, uses, session};
};

const counted = (tokens: number) => ({kind: 'tokens.counted', agent: 'AGT-001', turn: 1, tokens});

it('counts what an agent uses up, and reports only what changes something', async () => {
	const {told, uses} = await spender();
	for (const tokens of [700, 90, 20, 100, 200, 5000]) {
		uses(tokens);
	}

	expect(told).toEqual([counted(810), counted(1110)]);
});

it('goes on from what was told before its supervisor started', async () => {
	const {told, uses} = await spender([
		'{"at":"2026-01-01T00:00:00.000Z","agent":"AGT-001","turn":1,"kind":"tokens","input":500,"output":200}',
		'{"at":"2026-01-01T00:00:00.000Z","agent":"AGT-002","turn":1,"kind":"tokens","total":9000}',
		'{"at":"2026-01-01T00:00:00.000Z","agent":"AGT-001","turn":1,"kind":"tok',
	]);
	uses(150);
	expect(told).toEqual([counted(850)]);
});

it('counts money as it is told, for one agent and for all, and says where none is told', async () => {
	const told: Body[] = [];
	const session = working([subtask('AGT-001', {budget: '$5'}), 'AGT-002'], {
		plan: {budget: '$9'},
	});
	const report = (body: Body): void => {
		told.push(body);
		session.tell(body);
	};

	const {hear} = await keepBudgets(join(temporaryFolder(), 'none'), {state: session.state, report});
	const counts = (agent: string, amount: number): void =>
		hear(agent, 1, {kind: 'usage', used: 1, size: 2, cost: {amount, currency: 'USD'}});
	hear('AGT-002', 1, {kind: 'tokens', total: 7});
	counts('AGT-001', 3);
	counts('AGT-001', 4);
	counts('AGT-002', 3.5);
	expect(told).toMatchObject([
		{agent: 'AGT-002', tokens: 7, all: {tokens: 7}},
		{agent: 'AGT-001', tokens: 0, money: 4, all: {tokens: 7, money: 4}},
		{agent: 'AGT-002', tokens: 7, money: 3.5, all: {tokens: 7, money: 7.5}},
	]);
});

it('counts no money where an agent that does not know the price tells a cost of nothing', () => {
	const told = {kind: 'usage', cost: {amount: 0, currency: 'USD'}} as const;
	expect(withPayment(nothingSpent, told).cost).toEqual({});
	const paid = withPayment(nothingSpent, {...told, cost: {amount: 2, currency: 'USD'}});
	expect(withPayment(paid, told).cost).toEqual({USD: 2});
});

it.each([-1, Number.NaN, 1e308])('counts no money for a cost of %d', amount => {
	const told = {kind: 'tokens', total: 7, cost: {amount, currency: 'USD'}} as const;
	expect(withPayment(nothingSpent, told)).toEqual({...nothingSpent, tokens: 7});
});

it('reports again what is past its budget while nobody is asked about it', async () => {
	const {told, uses, session} = await spender();
	session.says('AGT-001', '[COMPLETION_REPORT]\nstatus: success\n[/COMPLETION_REPORT]\n');
	uses(1200);
	expect(session.kinds()).not.toContain('limit');
	session.ends('AGT-001');
	session.work();
	session.decide('r-1', 'feedback', 'once more');
	session.work();
	uses(10);
	expect(told).toEqual([counted(1200), counted(1210)]);
	expect(session.kinds()).toContain('limit');
	uses(10);
	expect(told).toHaveLength(2);
});
