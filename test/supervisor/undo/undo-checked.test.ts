import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {offerText, type UndoOffer} from '../../../src/rules/undo-offer.ts';
import {answerUndo} from '../../../src/supervisor/supervise.ts';
import {commitAll, git, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeParts, planOfScript, runHere} from '../running.ts';
import {success} from './merged-session.ts';

/** A merge whose plan has this check. */
const mergedWith = async (verify: string) => {
	const {parts, root} = await makeParts({'src/a.txt': 'a\n', 'other.txt': 'other\n'});
	const plan = planOfScript(`echo edited > src/a.txt\n${success}`, {verify: [verify]});
	const session = await runHere(parts, plan);
	await session.decide('review', 'merge');
	await session.decide('approval', 'approve');
	await session.running.over;
	const offer = async (gone?: AbortSignal): Promise<UndoOffer> => {
		const answer = await answerUndo(parts, undefined, {do: 'undo'}, gone ? {gone} : {});
		return (answer as {offer: UndoOffer}).offer;
	};
	return {parts, root, offer};
};

test('what an undo would come to is checked before a person is asked, and a check that fails stops nobody', async () => {
	const {parts, root, offer} = await mergedWith('grep edited src/a.txt');
	const merge = git(root, 'rev-parse', 'main');
	const seen = await offer();
	expect(seen).toMatchObject({
		how: 'move',
		checked: {ok: false, commands: [{command: 'grep edited src/a.txt', code: 1}]},
	});
	const log = seen.checked !== undefined && 'log' in seen.checked ? (seen.checked.log ?? '') : '';
	expect(readFileSync(log, 'utf8')).toBe('$ grep edited src/a.txt\n');
	expect(readdirSync(dirname(log)).filter(name => !name.endsWith('.log'))).toEqual([]);
	expect(offerText(seen).at(-1)).toBe(
		`The check fails there: \`grep edited src/a.txt\` exited with code 1; see ${log}.`,
	);
	const {turn, from} = seen;
	await answerUndo(parts, undefined, {do: 'undo', agreed: {turn, merge, from}});
	expect(git(root, 'rev-parse', 'main')).not.toBe(merge);
	const back = await offer();
	expect(back).toMatchObject({turn: 'redo', to: merge, checked: {ok: true}});
	expect(offerText(back).at(-1)).toBe('The check passes there (`grep edited src/a.txt`).');
});

test('it is checked as the commit that it would be, with what came to the target since', async () => {
	const {root, offer} = await mergedWith('cat src/a.txt other.txt');
	write(root, {'other.txt': 'later\n'});
	commitAll(root, 'later');
	const {how, checked} = await offer();
	expect([how, checked]).toMatchObject(['commit', {ok: true}]);
	const log = checked !== undefined && 'log' in checked ? (checked.log ?? '') : '';
	expect(readFileSync(log, 'utf8')).toBe('$ cat src/a.txt other.txt\na\nlater\n');
});

test('a check that nobody waits for any more is ended', async () => {
	const fifo = join(temporaryFolder(), 'begun');
	execFileSync('mkfifo', [fifo]);
	const {offer} = await mergedWith(`grep edited src/a.txt || { echo $$ > ${fifo}; sleep 1000; }`);
	const gone = new AbortController();
	const asked = offer(gone.signal);
	const pid = Number(await readFile(fifo, 'utf8'));
	gone.abort(new Error('They left.'));
	await expect(asked).rejects.toThrow('They left.');
	expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
