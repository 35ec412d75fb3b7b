import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {checkSnapshot} from '../../../src/supervisor/perform/checks.ts';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import {write} from '../../helpers/repository.ts';
import {makeAtWork} from '../at-work.ts';

test('the checks see one agent’s work as its snapshot holds it, whatever its worktree holds by now', async () => {
	const verify = ['test "$(cat src/a.txt)" = new', 'test ! -e other.txt'];
	const atWork = await makeAtWork({'src/a.txt': 'old\n'}, {verify});
	const {world, agent, believe, state, tree} = atWork;
	const check = async (number: number, since: number) => {
		const effect = {do: 'check-snapshot', agent: 'AGT-001', number, since} as const;
		const [outcome] = await checkSnapshot(world, state(), agent(), {...effect, key: effect});
		return outcome;
	};
	write(tree, {'src/a.txt': 'new\n', 'other.txt': 'outside\n'});
	believe(...(await capture(world, agent(), 'a test')));
	write(tree, {'src/a.txt': 'newer\n'});
	believe(...(await capture(world, agent(), 'a test')));

	expect(await check(1, 7)).toMatchObject({kind: 'snapshot.checked', number: 1, ok: true});
	const failed = await check(2, 8);
	expect(failed).toMatchObject({
		...{number: 2, since: 8, ok: false, tree: agent().snapshots[1]?.tree},
		commands: [{command: verify[0], code: 1}],
		log: {path: 'verify/AGT-001-2-8.log'},
	});
	const {log, path} = world.folder.verify('AGT-001-2-8');
	expect(readFileSync(log, 'utf8')).toContain(verify[0]);
	expect(existsSync(path)).toBe(false);
	expect(readFileSync(join(tree, 'src/a.txt'), 'utf8')).toBe('newer\n');
});
