import {Failure} from '../../lib/failure.ts';
import {whyNoProgram} from '../../lib/process/find-program.ts';
import {plainShellWords} from '../../lib/text/shell-words.ts';
import {firstOf} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {joinNul, splitNul} from '../process/result.ts';
import {user} from '../process/user.ts';
import {settingsLike} from '../read-settings.ts';
import {attributeNames} from './attributes.ts';

/** Filter of each path that has one. */
export type FilterNames = ReadonlyMap<string, string>;

/** A filter of some files that git can't run here. */
export type MissingFilter = {
	readonly name: string;
	/** Program that is not installed; absent if no setting names one. */
	readonly program?: string;
	readonly paths: readonly string[];
};

/** Finds the filters of a checkout's files that git can't run, without starting any. */
export const missingFilters = async (root: string): Promise<readonly MissingFilter[]> => {
	const {stdout: files} = await user(root, ['ls-files', '-z']);
	const {stdout} = await user(root, ['check-attr', '-z', '--stdin', 'filter'], {
		input: joinNul(splitNul(files)),
	});
	return missingAmong(root, attributeNames(stdout));
};

/** Finds the filters of these paths that git can't run. */
const missingAmong = async (
	root: string,
	filters: FilterNames,
): Promise<readonly MissingFilter[]> => {
	if (filters.size === 0) {
		return [];
	}

	const settings = new Map(
		await settingsLike(root, String.raw`^filter\..*\.(clean|process|smudge)$`),
	);
	const byName = Map.groupBy(filters.keys(), path => filters.get(path) ?? '');
	return [...byName].flatMap(([name, paths]): readonly MissingFilter[] => {
		const commands = commandsOf(name, settings);
		const [program] = commands.flatMap(command => absentProgram(command, root) ?? []);
		return commands.length > 0 && program === undefined
			? []
			: [{name, paths, ...defined({program})}];
	});
};

/** Returns the commands of a filter. If `process` is set, git uses no other. */
const commandsOf = (name: string, settings: ReadonlyMap<string, string>): readonly string[] => {
	const [process, ...others] = ['process', 'clean', 'smudge'].map(key =>
		settings.get(`filter.${name}.${key}`),
	);
	return process === undefined ? others.filter(command => command !== undefined) : [process];
};

/** Returns the missing program of a command; `undefined` if it exists, or if the command is a shell builtin or has shell syntax. */
const absentProgram = (command: string, directory: string): string | undefined => {
	const [program] = plainShellWords(command) ?? [];
	return program !== undefined &&
		!/=|^(?:\.|:|cd|command|eval|exec|exit|export|set|trap|umask|unset)$/.test(program) &&
		whyNoProgram(program, {directory, environment: process.env}) !== undefined
		? program
		: undefined;
};

/** Returns a sentence about the files of a filter that can't run, with the reason. */
export const missingFilterText = ({name, program, paths}: MissingFilter): string =>
	`${firstOf(paths, 3)} ${paths.length === 1 ? 'is' : 'are'} under the filter ${name}, ${
		program === undefined
			? 'which your git config does not define'
			: `and its program ${program} is not installed`
	}`;

/** Returns a hint for such a filter. */
export const missingFilterHint = ({name, program}: MissingFilter): string =>
	program === undefined
		? `Set the filter up (Git LFS: git lfs install); if it has nothing to do: git config filter.${name}.clean cat`
		: `Install ${program}, or correct filter.${name} in your git config, then try again.`;

/** @throws `Failure` of kind `refused` if one of these filters can't run */
export const requireFilters = async (root: string, filters: FilterNames): Promise<void> => {
	const [missing] = await missingAmong(root, filters);
	if (missing !== undefined) {
		throw new Failure('refused', `${missingFilterText(missing)}.`, {
			hint: missingFilterHint(missing),
		});
	}
};
