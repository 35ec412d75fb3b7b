import {mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import {findContainment} from '../../src/lib/process/containment.ts';
import type {PlannedAgent} from '../helpers/plan-file.ts';
import {configure, makeProject, projectAt} from '../helpers/project.ts';
import {write} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

const program = resolve(import.meta.dirname, '../../fixtures/agents/renews-login.sh');

const {fileSandbox} = await findContainment();

test.each('missing' in fileSandbox ? ['namespace'] : ['namespace', ''])(
	'a login that has run out is renewed by one agent, and the others work with the new one (%j)',
	async processes => {
		const {root, aside} = makeProject();
		const [home, spent] = [join(aside, 'home'), join(aside, 'spent')];
		mkdirSync(spent);
		const login = '.claude/.credentials.json';
		write(home, {[login]: '{"claudeAiOauth":{"refreshToken":"1","expiresAt":1000}}\n'});
		const env = {
			...{HOME: home, DELEGATE_TUI_PROCESSES: processes},
			...{ANTHROPIC_API_KEY: '', ANTHROPIC_AUTH_TOKEN: '', CLAUDE_CODE_OAUTH_TOKEN: ''},
		};
		const project = projectAt(root, {aside, env});
		configure(project, {docs: false, limits: {stagger: '0s'}});
		const agent: PlannedAgent = {
			subtask: 'Work with a login that has run out',
			scope: {allowed: ['src/**']},
			agent: {extends: 'claude-print', command: [program, spent]},
		};
		await using session = await startSession(
			{agents: [agent, agent, agent], allow: {write: [spent]}},
			project,
		);
		for (const id of ['AGT-001', 'AGT-002', 'AGT-003']) {
			await session.agent(id, 'COMPLETE');
		}

		expect(readdirSync(spent)).toEqual(['1']);
		expect(readFileSync(join(home, login), 'utf8')).toContain('"refreshToken":"2"');
		expect(session.events('turn.started')).toHaveLength(3);
	},
);
