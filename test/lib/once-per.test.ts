import {expect, test} from 'vitest';
import {oncePer} from '../../src/lib/values.ts';

test('a last result is kept for each object, and computed again for other further arguments', () => {
	const [one, other] = [{of: 1}, {of: 2}];
	const computed: string[] = [];
	const sum = oncePer(({of}: {readonly of: number}, more: number): number => {
		computed.push(`${of}+${more}`);
		return of + more;
	});
	expect([sum(one, 1), sum(other, 1), sum(one, 1), sum(one, 2), sum(one, 1)]).toEqual([
		2, 3, 2, 3, 2,
	]);
	expect(computed).toEqual(['1+1', '2+1', '1+2', '1+1']);
});
