import {expect, test} from 'vitest';
import {compare} from '../../src/conflicts/compare.ts';
import {commitAll, git, write} from '../helpers/repository.ts';
import {twoSides} from '../helpers/two-sides.ts';

const titled = (line: string) => `# Picomatch\n\n${line}\n`;

test('a target that stayed collides with no work on top of other work, though a name stands in two places', async () => {
	const base = {'README.md': titled('old'), 'docs/README.md': titled('docs')};
	const sides = {base, a: {'README.md': titled('first')}, b: {'docs/README.md': titled('other')}};
	const {store, root, a, base: target} = await twoSides(sides);
	git(root, 'checkout', '--quiet', '--detach', a);
	write(root, {'README.md': titled('second')});
	const onTop = commitAll(root);
	const {signal} = new AbortController();
	const found = async (from?: string) => {
		const commits = {a: onTop, b: target, ...(from === undefined ? {} : {base: from})};
		return (await compare(store, commits, {signal})).findings.map(({path}) => path);
	};
	expect(await found()).toEqual([]);
	// From what the work stands on, the target would seem to have taken the other work back.
	expect(await found(a)).toEqual(['README.md']);
});
