import {existsSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {git, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeParts, planOfScript, runHere} from '../running.ts';

/** Asks until it may go on, and then hands in what its worktree got. */
const asks = `case "$(sed -n 's/^ANSWER go: //p' | tail -n 1)" in
on) cat .env > src/a.txt
	printf '[COMPLETION_REPORT]\\nstatus: success\\n[/COMPLETION_REPORT]\\n';;
*) printf '[CLARIFICATION_NEEDED]\\nquestions:\\n  - id: go\\n    question: Shall I?\\n'
	printf '    options: [wait, on]\\n[/CLARIFICATION_NEEDED]\\n';;
esac`;

test('a session keeps to the checkout it was started in, wherever it is taken up', async () => {
	const {parts, root} = await makeParts({'src/a.txt': 'a\n', '.gitignore': '.env\n'});
	const linked = join(temporaryFolder(), 'linked');
	git(root, 'worktree', 'add', '--quiet', '-b', 'side', linked);
	write(linked, {'.env': 'LINKED=1\n'});
	write(root, {'.env': 'MAIN=1\n'});
	const started = {...parts, repository: await openRepository(linked)};
	const plan = planOfScript(asks, {copy: ['.env']});
	const first = await runHere(started, plan);
	await first.item('question');
	await first.event('snapshot.taken');
	await first.running.abandon();
	const {tree} = parts.folder.session(first.running.id).agent('AGT-001');
	rmSync(tree, {recursive: true});
	write(linked, {'.env': 'LINKED=2\n'});

	const second = await runHere(parts, first.running.id);
	await second.decide('question', 'wait');
	await second.event('turn.started', ({turn}) => turn === 2);
	await second.item('question');
	expect(readFileSync(join(tree, '.env'), 'utf8')).toBe('LINKED=2\n');
	await second.running.abandon();
	git(root, 'worktree', 'remove', '--force', linked);

	const third = await runHere(parts, first.running.id);
	await third.event('turn.ended', ({turn}) => turn === 2);
	await third.decide('question', 'on');
	await third.decide('review', 'merge');
	await third.decide('approval', 'approve');
	await third.running.over;
	expect(git(root, 'show', 'side:src/a.txt')).toBe('LINKED=2');
	expect(existsSync(join(root, 'docs'))).toBe(false);
});
