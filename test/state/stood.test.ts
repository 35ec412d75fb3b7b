import {describe, expect, it} from 'vitest';
import {stoodOf} from '../../src/state/agent/stood.ts';

const stood = (state_snapshot: unknown) =>
	stoodOf({kind: 'stop_work', line: 1, details: 'x', state_snapshot});

describe('where an agent stood when it stopped its work', () => {
	it('is read from names and values', () => {
		expect(stood({completed: ['A', 'B'], files: ['src/a.ts', 'src/b.ts'], next: 'Task D'})).toEqual(
			{completed: 'A, B', files: ['src/a.ts', 'src/b.ts'], next: 'Task D'},
		);
	});

	it('is read from lines of text with the names of the references', () => {
		const text = `- Completed tasks: [A, B, C]
- Generated files: [file1, file2]
- Working directory: /path/to/work
- Next task: Task D`;
		expect(stood(text)).toEqual({
			completed: 'A, B, C',
			files: ['file1', 'file2'],
			next: 'Task D',
		});
	});

	it('is what it says where that has no names', () => {
		expect(stood('Phase 2: Task C done')).toEqual({completed: 'Phase 2: Task C done'});
	});

	it('is unknown where it says nothing', () => {
		expect(stood(undefined)).toEqual({});
		expect(stood({})).toEqual({});
	});
});
