import {Failure} from '../../lib/failure.ts';
import {whyNoProgram} from '../../lib/process/find-program.ts';
import {plainShellWords} from '../../lib/text/shell-words.ts';
import {firstOf} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {joinNul, splitNul} from '../process/result.ts';
import {user} from '../process/user.ts';
import {settingsLike} from '../read-settings.ts';
import {attributeNames} from './attributes.ts';

/** The filter of each path that is under one. */
export type FilterNames = ReadonlyMap<string, string>;

/** A filter that files are under and that git can't run here. */
export type MissingFilter = {
	readonly name: string;
	/** The program that is not installed; absent where no setting names one. */
	readonly program?: string;
	readonly paths: readonly string[];
};

/** Finds the filters of a checkout's files that git can't run. It starts none of them. */
export const missingFilters = async (root: string): Promise<readonly MissingFilter[]> => {
	const {stdout: files} = await user(root, ['ls-files', '-z']);
	const {stdout} = await user(root, ['check-attr', '-z', '--stdin', 'filter'], {
		input: joinNul(splitNul(files)),
	});
	return missingAmong(root, attributeNames(stdout));
};

/** Finds those filters among the ones that these paths are under. */
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

/** Where there is a `process`, git uses nothing else. */
const commandsOf = (name: string, settings: ReadonlyMap<string, string>): readonly string[] => {
	const [process, ...others] = ['process', 'clean', 'smudge'].map(key =>
		settings.get(`filter.${name}.${key}`),
	);
	return process === undefined ? others.filter(command => command !== undefined) : [process];
};

/** Returns the program of a command that isn't there; a command with more than plain words, or of the shell's own, counts as one that works. */
const absentProgram = (command: string, directory: string): string | undefined => {
	const [program] = plainShellWords(command) ?? [];
	return program !== undefined &&
		!/=|^(?:\.|:|cd|command|eval|exec|exit|export|set|trap|umask|unset)$/.test(program) &&
		whyNoProgram(program, {directory, environment: process.env}) !== undefined
		? program
		: undefined;
};

/** Says which files are under a filter that can't run, and why it can't. */
export const missingFilterText = ({name, program, paths}: MissingFilter): string =>
	`${firstOf(paths, 3)} ${paths.length === 1 ? 'is' : 'are'} under the filter ${name}, ${
		program === undefined
			? 'which your git config does not define'
			: `and its program ${program} is not installed`
	}`;

/** Says what helps with such a filter. */
export const missingFilterHint = ({name, program}: MissingFilter): string =>
	program === undefined
		? `Set the filter up (Git LFS: git lfs install); if it has nothing to do: git config filter.${name}.clean cat`
		: `Install ${program}, or correct filter.${name} in your git config, then try again.`;

/** @throws `Failure` of kind `refused` where one of these filters can't run */
export const requireFilters = async (root: string, filters: FilterNames): Promise<void> => {
	const [missing] = await missingAmong(root, filters);
	if (missing !== undefined) {
		throw new Failure('refused', `${missingFilterText(missing)}.`, {
			hint: missingFilterHint(missing),
		});
	}
};
