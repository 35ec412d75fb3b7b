import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {completionScripts} from '../../../src/cli/commands/completion.ts';
import {script, temporaryFolder} from '../../helpers/repository.ts';

/** Returns what Bash would put in place of the last word of a line, with our program played by one that tells its words. */
const completed = (line: string, ...answers: readonly string[]): readonly string[] => {
	const folder = temporaryFolder();
	script(
		join(folder, 'delegate-tui'),
		`printf '<%s>' "$@" > '${folder}/words'\nprintf '${answers.map(answer => `${answer}\\tits meaning\\n`).join('')}'`,
	);
	const printed = execFileSync(
		'bash',
		[
			'--norc',
			'-c',
			`${completionScripts.bash}
COMP_LINE=$1 COMP_POINT=\${#1}
_delegate_tui
cat '${folder}/words'
printf '\\n%s' "\${COMPREPLY[@]}"`,
			'bash',
			line,
		],
		{env: {PATH: `${folder}:${process.env.PATH}`}, encoding: 'utf8'},
	);
	return printed.split('\n');
};

test('Bash asks with the words so far, and an empty one behind a space', () => {
	expect(completed('delegate-tui ans', 'answer')).toEqual(['<complete><--><ans>', 'answer']);
	expect(completed('delegate-tui answer ', 'q-1', 'q-2')).toEqual([
		'<complete><--><answer><>',
		'q-1',
		'q-2',
	]);
});

test('a choice with a colon is one word, of which Bash replaces what stands behind the colon', () => {
	expect(completed('delegate-tui answer c-1 choose-one:A', 'choose-one:AGT-001')).toEqual([
		'<complete><--><answer><c-1><choose-one:A>',
		'AGT-001',
	]);
});

test('a choice with spaces is quoted', () => {
	expect(completed('delegate-tui answer q-1 ', 'the first one')).toEqual([
		'<complete><--><answer><q-1><>',
		String.raw`the\ first\ one`,
	]);
});

test('where nothing of ours fits, nothing is offered', () => {
	expect(completed('delegate-tui run ')).toEqual(['<complete><--><run><>', '']);
});
