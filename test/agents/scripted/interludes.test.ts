import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {readScene} from '../../../src/agents/scripted/read-scene.ts';
import {sceneCommand} from '../../helpers/plan-file.ts';
import {converse, open} from '../acp/converse.ts';

const scene = {
	steps: [
		{write: {path: 'a.txt', text: 'one'}},
		{widen: {paths: ['b.txt'], reason: 'it belongs together'}},
		{edit: {path: 'a.txt', find: 'one', replace: 'two'}},
		{complete: {}},
	],
	when: [
		{
			says: 'MERGE CONFLICT',
			steps: [{write: {path: 'a.txt', text: 'joined'}}, {complete: {status: 'partial'}}],
		},
	],
};

it('plays other steps for a prompt that holds certain words, and goes on where it stood after it', async () => {
	const {conversation, directory} = await open(sceneCommand(scene));
	const prompt = async (words: string) => {
		const {turn, signals} = converse(conversation, words);
		await turn.ended;
		return {signals, text: readFileSync(join(directory, 'a.txt'), 'utf8')};
	};

	expect(await prompt('begin')).toMatchObject({
		text: 'one',
		signals: [{kind: 'scope_request', paths: ['b.txt'], reason: 'it belongs together'}],
	});
	expect(await prompt('MERGE CONFLICT\nConflict: a.txt')).toMatchObject({
		text: 'joined',
		signals: [{status: 'partial'}],
	});
	await prompt('RESUMED');
	expect(await prompt('go on')).toMatchObject({signals: [{status: 'success'}]});
	expect(await prompt('MERGE CONFLICT')).toMatchObject({signals: [{status: 'partial'}]});
});

it('tells the line and column of a step that is wrong in there', () => {
	const text = 'steps:\n  - say: a\nwhen:\n  - says: b\n    steps:\n      - sing: c\n';
	expect(readScene(text, 'scene.yaml')).toMatchObject({problems: [{line: 6, column: 15}]});
});
