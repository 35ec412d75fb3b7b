import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import type {Check, Patient} from '../../../src/cli/doctor/check.ts';
import {checkConfig} from '../../../src/cli/doctor/config.ts';
import {checkEditor} from '../../../src/cli/doctor/editor.ts';
import {checkNotifier} from '../../../src/cli/doctor/notifier.ts';
import {checkSandbox} from '../../../src/cli/doctor/sandbox.ts';
import {findHere} from '../../../src/cli/here.ts';
import {groupsContainment} from '../../../src/lib/process/containment.ts';
import {makeProject} from '../../helpers/project.ts';
import {hermeticHome, temporaryFolder} from '../../helpers/repository.ts';

beforeEach(() => {
	hermeticHome();
});

const look = async (check: Check, given: Partial<Patient> = {}) =>
	check({here: undefined, environment: {}, containment: groupsContainment('for a test'), ...given});

const withConfig = async (config: string): Promise<Partial<Patient>> => ({
	here: await findHere(makeProject({'.delegate-tui.yaml': config}).root),
});

describe('the editor', () => {
	test.each([
		[{}, 'absent', 'no editor is named'],
		[{EDITOR: 'ed', VISUAL: ' '}, 'good', 'ed (named by EDITOR)'],
		[{EDITOR: 'vi', VISUAL: 'ed --wait'}, 'good', 'ed --wait (named by VISUAL)'],
		[{EDITOR: 'gone --wait'}, 'warn', 'no gone was found'],
		[{EDITOR: '"my editor" --wait'}, 'good', '"my editor" --wait (named by EDITOR)'],
	])('%o is %s', async (environment, level, text) => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, 'ed'), '#!/bin/sh\n');
		chmodSync(join(folder, 'ed'), 0o755);
		expect(await look(checkEditor, {environment: {PATH: folder, ...environment}})).toMatchObject([
			{check: 'editor', level, text: expect.stringContaining(text)},
		]);
	});
});

describe('the config', () => {
	test('is told by its files', async () => {
		const here = await withConfig('docs: false\n');
		expect(await look(checkConfig, here)).toMatchObject([
			{level: 'good', text: expect.stringMatching(/\.delegate-tui\.yaml$/)},
		]);
	});

	test('that can’t be used is a fault, with the place of each mistake', async () => {
		const here = await withConfig('docs: maybe\ncolour: blue\n');
		expect(await look(checkConfig, here)).toMatchObject([
			{level: 'bad', text: expect.stringContaining('.delegate-tui.yaml:1:')},
			{level: 'bad', text: expect.stringContaining('.delegate-tui.yaml:2:')},
		]);
	});
});

test('the sandbox is told by what it does, and is a fault where the config requires more', async () => {
	expect(await look(checkSandbox)).toMatchObject([
		{level: 'warn', text: expect.stringContaining('level "none": Agents run with your rights')},
	]);
	const containment = {level: 'namespace', why: 'by unshare', prefix: []} as const;
	expect(await look(checkSandbox, {containment})).toMatchObject([{level: 'good'}]);
	const required = await withConfig('sandbox: required\n');
	expect(await look(checkSandbox, {...required, containment})).toMatchObject([{level: 'bad'}]);
});

test('the notifier is looked for unless it is turned off', async () => {
	const folder = temporaryFolder();
	const environment = {PATH: folder};
	expect(await look(checkNotifier, {environment})).toMatchObject([
		{level: 'absent', hint: expect.stringContaining('install it')},
	]);
	for (const name of ['notify-send', 'osascript']) {
		writeFileSync(join(folder, name), '#!/bin/sh\n');
		chmodSync(join(folder, name), 0o755);
	}

	expect(await look(checkNotifier, {environment})).toMatchObject([{level: 'good'}]);
	const off = await withConfig('notify: {desktop: false}\n');
	expect(await look(checkNotifier, {...off, environment})).toMatchObject([{level: 'absent'}]);
});
