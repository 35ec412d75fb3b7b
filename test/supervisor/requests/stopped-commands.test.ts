import {describe, expect, it} from 'vitest';
import {watchForStopped} from '../../../src/supervisor/requests/allowed-command.ts';

const tool = (command: string, status: 'pending' | 'failed' | 'completed') =>
	({kind: 'tool', tool: 'execute', id: 't-1', title: 'Push', paths: [], command, status}) as const;

const begin = () => {
	const stopped: string[] = [];
	return {stopped, ...watchForStopped(({what}) => stopped.push(what))};
};

describe('a command that should reach other machines', () => {
	it('is told of once where the agent itself stopped it', () => {
		const {stopped, hear} = begin();
		hear(tool('git push', 'pending'));
		expect(stopped).toEqual([]);
		hear(tool('git push', 'failed'));
		hear(tool('/bin/bash -lc git push', 'failed'));
		hear(tool('npm test', 'failed'));
		expect(stopped).toEqual(['git push']);
	});

	it('is not told of again where leave was asked for it', () => {
		const {stopped, asked, hear} = begin();
		asked({command: 'git push origin'});
		hear(tool('git push origin', 'failed'));
		expect(stopped).toEqual([]);
	});

	it('is told of where it would start another agent, by that one’s name', () => {
		const {stopped, hear} = begin();
		hear(tool('timeout 60 npx @openai/codex-acp@2 exec', 'failed'));
		hear(tool('grep claude notes.txt', 'failed'));
		expect(stopped).toEqual(['codex-acp']);
	});

	it('is told of where it is known by other means, and not twice', () => {
		const {stopped, hear, failed} = begin();
		failed('git push');
		hear(tool('git push origin', 'failed'));
		expect(stopped).toEqual(['git push']);
	});
});
