import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, extname, join} from 'node:path';
import {asFailure, Failure} from '../../lib/failure.ts';
import {ifThere} from '../../lib/files/reading.ts';
import {lineOf} from '../process/result.ts';
import {user} from '../process/user.ts';
import {gitWithTerminal} from '../process/with-terminal.ts';
import {type Setting, settingsLike} from '../read-settings.ts';

/** The whole versions of a file that a merge tool is given, by their paths. */
export type MergedFrom = {readonly base: string; readonly ours: string; readonly theirs: string};

/**
Has a person settle a file by the merge tool that their git is set up with, in the terminal that this process has.

The tool works in a repository of its own, in which nothing but this file is unmerged; what it made is taken only when git says that the file is merged.

@throws `Failure` of kind `refused` when the tool can't be used or left the file unmerged; the file is as it was then.
*/
export const mergeByTool = async (
	repository: string,
	file: string,
	versions: MergedFrom,
	environment = process.env,
): Promise<void> => {
	const name = plainName(file);
	const before = await ifThere(readFile(file));
	if (before === undefined) {
		throw new Failure(
			'refused',
			'The file was removed in its folder, so there is nothing to merge.',
		);
	}

	const folder = await mkdtemp(join(tmpdir(), 'delegate-tui-merge-'));
	let isKept = false;
	try {
		await layUnmerged(folder, name, versions);
		await writeFile(join(folder, name), before);
		const words = ['mergetool', '--no-prompt', '--', name];
		const ended = await gitWithTerminal(folder, words, {
			settings: await toolSettings(repository),
			environment,
		});
		const {stdout: unmerged} = await user(folder, ['ls-files', '--unmerged']);
		if (ended !== 0 || unmerged.length > 0) {
			throw new Failure('refused', `git mergetool ended without a result (${ended}).`, {
				hint: 'the file is as it was; git config merge.tool names the tool',
			});
		}

		await put(join(folder, name), file, before).catch(cause => {
			isKept = true;
			throw kept(join(folder, name), cause);
		});
	} finally {
		if (!isKept) {
			await rm(folder, {recursive: true, force: true});
		}
	}
};

/** Puts what the tool made in the place of the file, unless that is another one than the tool was given. */
const put = async (made: string, file: string, before: Buffer): Promise<void> => {
	if (!(await ifThere(readFile(file)))?.equals(before)) {
		throw new Failure('refused', 'The file was changed while the tool was open.');
	}

	const content = await ifThere(readFile(made));
	await (content === undefined ? rm(file) : writeFile(file, content));
};

const kept = (made: string, cause: unknown): Failure =>
	new Failure('refused', `What the merge tool made was not taken: ${asFailure(cause).message}`, {
		hint: `it is kept as ${made}`,
		cause,
	});

/** Git's merge tool is a script that can't take every name; what comes last in a name tells a tool which language it is. */
const plainName = (file: string): string => {
	const [name, end] = [basename(file), extname(file)];
	return /^\w[\w.-]*$/.test(name) ? name : `merged${/^\.\w+$/.test(end) ? end : ''}`;
};

/** What a person has set up for one repository alone counts in the other one, too. */
const toolSettings = async (repository: string): Promise<readonly Setting[]> => [
	...(await settingsLike(repository, '^(merge\\.(tool|guitool|conflictstyle)|mergetool\\.)')),
	['core.hooksPath', '/dev/null'],
	// The tool is shown what git holds, and what it makes is held as it is: nothing is converted on the way.
	['core.autocrlf', 'false'],
	['core.attributesFile', '/dev/null'],
	['mergetool.keepBackup', 'false'],
];

const layUnmerged = async (
	folder: string,
	name: string,
	{base, ours, theirs}: MergedFrom,
): Promise<void> => {
	await user(folder, ['init', '--quiet']);
	const entries: string[] = [];
	for (const [stage, path] of [base, ours, theirs].entries()) {
		const content = await ifThere(readFile(path));
		if (content !== undefined) {
			const hashed = await user(folder, ['hash-object', '-w', '--no-filters', '--stdin'], {
				input: content,
			});
			entries.push(`100644 ${lineOf(hashed)} ${stage + 1}\t${name}\0`);
		}
	}

	await user(folder, ['update-index', '-z', '--index-info'], {
		input: Buffer.from(entries.join('')),
	});
};
