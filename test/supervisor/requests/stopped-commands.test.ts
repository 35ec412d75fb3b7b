import {describe, expect, it} from 'vitest';
import {watchForStopped} from '../../../src/supervisor/requests/stopped-commands.ts';

const tool = (command: string, status: 'pending' | 'failed' | 'completed') =>
	({kind: 'tool', tool: 'execute', id: 't-1', title: 'Push', paths: [], command, status}) as const;

const begin = () => {
	const stopped: string[] = [];
	return {stopped, ...watchForStopped(what => stopped.push(what))};
};

describe('a command that should reach other machines', () => {
	it('is told of once where the agent itself stopped it', () => {
		const {stopped, told} = begin();
		told(tool('git push', 'pending'));
		expect(stopped).toEqual([]);
		told(tool('git push', 'failed'));
		told(tool('/bin/bash -lc git push', 'failed'));
		told(tool('npm test', 'failed'));
		expect(stopped).toEqual(['git push']);
	});

	it('is not told of again where leave was asked for it', () => {
		const {stopped, asked, told} = begin();
		asked({command: 'git push origin'});
		told(tool('git push origin', 'failed'));
		expect(stopped).toEqual([]);
	});

	it('is told of where it is known by other means, and not twice', () => {
		const {stopped, told, failed} = begin();
		failed('git push');
		told(tool('git push origin', 'failed'));
		expect(stopped).toEqual(['git push']);
	});
});
