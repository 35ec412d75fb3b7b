import {createHash} from 'node:crypto';
import {homedir} from 'node:os';
import {linesOf} from '../process/lines.ts';
import {lineOf} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import {user} from '../process/user.ts';
import {gitLocationOf, type Repository} from '../repository/repository.ts';
import {contentOf} from './content-of.ts';
import {settingsFiles} from './settings-files.ts';

/** What git goes by in the person's repository; digests only, since a file may hold a password. */
export type SettingsReading = {
	/** Of all of it together. */
	readonly digest: string;
	/** Of each file, by its path as a person knows it. */
	readonly parts: Readonly<Record<string, string>>;
};

/**
Reads what the person's git goes by besides the history: every file of it as a whole, and the replaced objects.

Which settings can start a program or redirect a fetch is a list without an end, so no change is taken for a harmless one. Not in it are other refs, which move in a day's work (a merge is bound to its target by itself), and the programs that settings name.
*/
export const readSettings = async (repository: Repository): Promise<SettingsReading> => {
	const files = await settingsFiles(repository);
	const contents = await Promise.all(
		files.map(async path => [shownPath(repository, path), await contentOf(path)] as const),
	);
	const found = [...contents, ...(await replacements(repository)), await gitFolder(repository)]
		.filter(([, content]) => content !== undefined)
		.sort(([name], [other]) => (name < other ? -1 : 1));
	const parts = Object.fromEntries(found.map(([name, content]) => [name, digestOf(content)]));
	return {digest: digestOf(parts), parts};
};

/** Returns the files that came, went or changed since an earlier reading. */
export const changedSince = (
	{parts}: SettingsReading,
	earlier: SettingsReading['parts'],
): readonly string[] =>
	[...new Set([...Object.keys(parts), ...Object.keys(earlier)])]
		.filter(name => parts[name] !== earlier[name])
		.sort()
		.map(name => (name in parts ? name : `${name} (removed)`));

type Part = readonly [name: string, content: string];

/** Of all refs only these change what others read. */
const replacements = async (repository: Repository): Promise<readonly Part[]> => {
	const format = '--format=%(refname) %(objectname)';
	const refs = await sealed(gitLocationOf(repository), ['for-each-ref', format, 'refs/replace/']);
	return linesOf(refs).map(line => {
		const [name = '', object = ''] = line.split(' ');
		return [name, object];
	});
};

/** A file in the place of the checkout's git folder would lead git elsewhere. */
const gitFolder = async ({root}: Repository): Promise<Part> => {
	const found = await user(root, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
	return ['.git', lineOf(found)];
};

/** Returns a path as people know it: `.git/config` for what is the repository's, `~/.gitconfig` for what is the person's. */
const shownPath = ({commonDir}: Repository, path: string): string => {
	if (path.startsWith(`${commonDir}/`)) {
		return `.git${path.slice(commonDir.length)}`;
	}

	const home = homedir();
	return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
};

/** 128 bits, since it stands in journals in great numbers. */
const digestOf = (content: unknown): string =>
	createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
