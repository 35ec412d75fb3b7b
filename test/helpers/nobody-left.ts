import {expect} from 'vitest';
import {afterTheLast} from './marked-processes.ts';
import type {Project} from './project.ts';

/**
Expects that no process of the program or of the session's agents is left.

It ends remaining ones, so that one story can't disturb the next, but fails nevertheless.
*/
export const expectNobodyLeft = async (project: Project, session = 'none'): Promise<void> => {
	const marks = [`DELEGATE_TUI_STATE=${project.state}`, `DELEGATE_SESSION=${session}`];
	const found = await Promise.all(marks.map(mark => afterTheLast(mark)));
	const left = found.flat();
	for (const {pid} of left) {
		process.kill(pid, 'SIGKILL');
	}

	expect(left.map(({command}) => command)).toEqual([]);
};
