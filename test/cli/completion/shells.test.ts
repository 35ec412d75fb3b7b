import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'vitest';
import {completionScripts, type Shell, shells} from '../../../src/cli/commands/completion.ts';
import {programPath} from '../../../src/lib/process/find-program.ts';
import {script, temporaryFolder} from '../../helpers/repository.ts';
import {keys, openTerminal} from '../../helpers/terminal.ts';

/** How each shell is started with nothing of the person's, and told what we print for it. */
const starts: Readonly<Record<Shell, {readonly words: readonly string[]; readonly load: string}>> =
	{
		bash: {words: ['--norc', '--noprofile'], load: 'source ./completion'},
		zsh: {words: ['-f'], load: 'autoload -Uz compinit; compinit -D; source ./completion'},
		fish: {words: ['--no-config'], load: 'source ./completion'},
	};

/** Our program: it tells what fits behind some words, or else which words it was called with. */
const program = `if [ "$1" != complete ]; then
	printf 'called:'
	printf '<%s>' "$@"
	exit
fi
shift 2
for last; do :; done
case "$#$1$2" in
1*) all='answer	decide an item' ;;
2answer*) all='q-1	Which [port]: which?' ;;
3answerc-1) all='choose-one:AGT-001	take it' ;;
3answerq-1) all='the $first one	its meaning' ;;
esac
case $all in "$last"*) printf '%s\\n' "$all" ;; esac`;

/** What is typed before Tab, and the words that the program is called with then. */
const cases: readonly (readonly [string, readonly string[]])[] = [
	['ans', ['answer']],
	['answer q', ['answer', 'q-1']],
	['answer ', ['answer', 'q-1']],
	['answer c-1 choose-one:A', ['answer', 'c-1', 'choose-one:AGT-001']],
	['answer q-1 th', ['answer', 'q-1', 'the $first one']],
	[String.raw`answer q-1 the\ `, ['answer', 'q-1', 'the $first one']],
	['run pl', ['run', 'plan.yaml']],
];

for (const shell of shells) {
	const path = programPath(shell, process.env.PATH);
	if (path === undefined) {
		console.warn(
			`Skipped, since there is no ${shell} here: ${shell} completes what a person types`,
		);
	}

	test.skipIf(path === undefined)(`${shell} completes what a person types`, async () => {
		const folder = temporaryFolder();
		script(join(folder, 'delegate-tui'), program);
		writeFileSync(join(folder, 'completion'), completionScripts[shell]);
		writeFileSync(join(folder, 'plan.yaml'), '');
		using terminal = openTerminal({
			program: path ?? shell,
			words: starts[shell].words,
			directory: folder,
			environment: {PATH: `${folder}:${process.env.PATH}`, HOME: folder},
			columns: 120,
			rows: 50,
		});
		await terminal.typeUntil(`${starts[shell].load}; echo lo''aded\r`, /^loaded/m);
		for (const [typed, words] of cases) {
			await terminal.typeUntil(
				`clear${keys.enter}delegate-tui ${typed}${keys.tab}${keys.enter}`,
				`called:${words.map(word => `<${word}>`).join('')}`,
			);
		}
	});
}
