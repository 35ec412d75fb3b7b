import {appendFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createTails, setupTail} from '../../src/client/tails.ts';
import {starting} from '../helpers/given.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const opened = () => {
	const folder = temporaryFolder();
	const path = (name: string) => join(folder, name);
	const setupLog = (agent: string) => join(folder, agent, 'setup.log');
	let wake = (): void => {};
	const tails = createTails(
		{
			transcripts: agent => join(folder, agent, 'transcript'),
			...{setupLog, checks: path('verify'), commands: path('commands')},
			telemetry: path('telemetry.ndjson'),
		},
		() => wake(),
	);
	onTestFinished(tails.close);
	const log = setupLog('AGT-001');
	mkdirSync(dirname(log));
	return {
		tails,
		log,
		printed: async (line: string) => {
			while (tails.lines()[setupTail('AGT-001')]?.at(-1) !== line) {
				await new Promise<void>(resolve => {
					wake = resolve;
				});
			}
		},
	};
};

test('what a setup prints is followed until its agent starts', async () => {
	const {tails, log, printed} = opened();
	const session = starting(['AGT-001'], {plan: {setup: ['npm ci']}});
	writeFileSync(log, '$ npm ci\n');
	tails.follow(session.state());
	await printed('$ npm ci');
	appendFileSync(log, 'added 96 packages\n');
	await printed('added 96 packages');
	session.work();
	tails.follow(session.state());
	expect(tails.lines()).not.toHaveProperty(setupTail('AGT-001'));
});

test('a plan without setup has no log of it to follow', () => {
	const {tails} = opened();
	tails.follow(starting(['AGT-001']).state());
	expect(tails.lines()).toEqual({});
});
