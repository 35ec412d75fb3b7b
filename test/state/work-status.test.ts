import {describe, expect, it} from 'vitest';
import {workStatusOf} from '../../src/state/agent/updates.ts';

const status = (state_snapshot: unknown) =>
	workStatusOf({kind: 'stop_work', line: 1, details: 'x', state_snapshot});

describe('where the work of an agent stands when it stops', () => {
	it('is read from names and values', () => {
		expect(
			status({completed: ['A', 'B'], files: ['src/a.ts', 'src/b.ts'], next: 'Task D'}),
		).toEqual({completed: 'A, B', files: ['src/a.ts', 'src/b.ts'], next: 'Task D'});
	});

	it('is read from lines of text with the names of the references', () => {
		const text = `- Completed tasks: [A, B, C]
- Generated files: [file1, file2]
- Working directory: /path/to/work
- Next task: Task D`;
		expect(status(text)).toEqual({
			completed: 'A, B, C',
			files: ['file1', 'file2'],
			next: 'Task D',
		});
	});

	it('is what it says where that has no names', () => {
		expect(status('Phase 2: Task C done')).toEqual({completed: 'Phase 2: Task C done'});
	});

	it('is unknown where it says nothing', () => {
		expect(status(undefined)).toEqual({});
		expect(status({})).toEqual({});
	});
});
