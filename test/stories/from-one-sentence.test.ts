import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import {configure, makeProject} from '../helpers/project.ts';
import {commitAll, write} from '../helpers/repository.ts';
import {keys, openProgram} from '../helpers/terminal.ts';

const edits = resolve(import.meta.dirname, '../../fixtures/agents/edits.sh');
const worker = {protocol: 'text', command: [edits, 'src/one.txt', 'one']};

/** A project whose config names agents that are here, before one that isn't. */
const makeTeam = () => {
	const project = makeProject();
	configure(project, {
		docs: false,
		limits: {stagger: '0s'},
		agents: {gone: {protocol: 'text', command: ['no-such-agent']}, ada: worker, bob: worker},
	});
	return project;
};

test('from one sentence an agent that is installed is at work after three keys', async () => {
	const project = makeTeam();
	using screen = openProgram(project, ['fix', 'the', 'rounding', 'bug']);
	await screen.until('Esc, then 1: ada does it all');
	await screen.typeUntil(keys.escape, '1 one agent');
	await screen.typeUntil('1', 'Start ada on the whole task?');
	await screen.typeUntil('y', 'REVIEW');
	const {stdout} = await project.run('status');
	expect(stdout).toContain('fix the rounding bug');
	expect(stdout.match(/^ +AGT-\d+/gm)).toHaveLength(1);
	expect(await project.run('stop')).toMatchObject({code: 0});
});

test('a scope is picked from the tree by a part of its name, counted, and stands in the plan that is saved', async () => {
	const project = makeTeam();
	write(project.root, {'src/tax.ts': 'tax\n', 'src/cart.ts': 'cart\n'});
	commitAll(project.root);
	using screen = openProgram(project, ['fix', 'the', 'rounding', 'bug']);
	await screen.until('▸ Subtask');
	screen.type(`Fix it${keys.enter}${keys.enter}${keys.enter}`);
	await screen.until('▸ May write');
	await screen.typeUntil('\x14', 'AGT-001: May write');
	await screen.typeUntil('src', /▸ folder +src\/ {2}\d+ file/);
	await screen.typeUntil(keys.enter, /▸ May write +src\/\*\*/);
	await screen.until(/AGT-001 ─+ 2 files ─/);
	await screen.typeUntil(keys.escape, '⏎ write');
	await screen.typeUntil('s', 'plan.yaml');
	await screen.typeUntil(keys.enter, 'Saved as plan.yaml.');
	expect(readFileSync(join(project.root, 'plan.yaml'), 'utf8')).toMatch(
		/allowed: \[ ?"?src\/\*\*"? ?\]/,
	);
	screen.type(keys.controlC);
	expect(await screen.exits()).toBe(0);
});

test('the same sentence is given to two agents after three keys, and whoever says no has it in the form', async () => {
	const project = makeTeam();
	using screen = openProgram(project, ['fix', 'the', 'rounding', 'bug']);
	await screen.until('3: ada, bob each do it, you take the best');
	await screen.typeUntil(keys.escape, '3 best of');
	await screen.typeUntil('3', 'Start ada and bob on the same task');
	await screen.typeUntil('n', 'ada bob');
	await screen.typeUntil('\x12', 'is empty, so');
	expect((await project.run('status')).stdout).toContain('No session in this repository yet.');
	screen.type(keys.controlC);
});
