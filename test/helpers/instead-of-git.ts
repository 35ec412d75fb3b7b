import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, onTestFinished} from 'vitest';
import {script} from './repository.ts';

/**
Puts a git in front of the real one for all tests of a file, and returns a function that lets the next git with these consecutive arguments run shell lines first; in them `$real` is the real git.

Our program looks git up only once, so this must come first. The orders are in files, since a sealed git does not inherit our environment.
*/
export const installInsteadOfGit = (): ((words: string, lines: string) => void) => {
	const folder = mkdtempSync(join(tmpdir(), 'delegate-git-'));
	const wordFile = join(folder, 'words');
	const linesFile = join(folder, 'lines.sh');
	beforeAll(() => {
		const real = execFileSync('sh', ['-c', 'command -v git'], {encoding: 'utf8'}).trim();
		script(
			join(folder, 'git'),
			`real=${real}
if read -r words 2>/dev/null <${wordFile}; then
	case " $* " in
	*" $words "*) rm ${wordFile}; . ${linesFile} ;;
	esac
fi
exec $real "$@"`,
		);
		process.env.PATH = `${folder}:${process.env.PATH ?? ''}`;
	});
	afterAll(() => rmSync(folder, {recursive: true}));
	return (words, lines) => {
		writeFileSync(linesFile, lines);
		writeFileSync(wordFile, `${words}\n`);
		onTestFinished(() => rmSync(wordFile, {force: true}));
	};
};
