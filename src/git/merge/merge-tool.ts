import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, extname, join} from 'node:path';
import {asFailure, Failure} from '../../lib/failure.ts';
import {ifThere} from '../../lib/files/reading.ts';
import {hooksOff} from '../process/hooks-off.ts';
import {lineOf} from '../process/result.ts';
import {user} from '../process/user.ts';
import {gitWithTerminal} from '../process/with-terminal.ts';
import {type Setting, settingsLike} from '../read-settings.ts';

/** Paths of the three versions for a merge tool. */
export type MergedFrom = {readonly base: string; readonly ours: string; readonly theirs: string};

/**
Runs `git mergetool` on a file, in the terminal of this process.

It runs in a temporary repository whose only unmerged file is this one; the result is taken if git then reports it as merged.

@throws `Failure` of kind `refused` when there is no result; the file is unchanged then.
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
		const {code} = await gitWithTerminal(folder, words, {
			settings: await toolSettings(repository),
			environment,
		});
		const {stdout: unmerged} = await user(folder, ['ls-files', '--unmerged']);
		if (code !== 0 || unmerged.length > 0) {
			throw new Failure('refused', `git mergetool ended without a result (${code}).`, {
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

/** Replaces the file by the tool's result, unless the file was changed meanwhile. */
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

/** Returns a name that `git mergetool`, a script, can handle; it keeps the extension, from which tools derive the language. */
const plainName = (file: string): string => {
	const [name, end] = [basename(file), extname(file)];
	return /^\w[\w.-]*$/.test(name) ? name : `merged${/^\.\w+$/.test(end) ? end : ''}`;
};

/** Copies settings of the person's repository, which the temporary one lacks. */
const toolSettings = async (repository: string): Promise<readonly Setting[]> => [
	...(await settingsLike(repository, '^(merge\\.(tool|guitool|conflictstyle)|mergetool\\.)')),
	...hooksOff,
	// The tool gets the content unconverted, and its result is taken unconverted.
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
