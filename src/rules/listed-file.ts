import {z} from 'zod';
import {firstOf} from '../lib/text/words.ts';
import {oncePer} from '../lib/values.ts';

/** A changed file of a work, which the supervisor lists from the trees, so that a diff that omits it hides nothing. */
export const listedFile = z.object({
	path: z.string(),
	/** Former path, if it was renamed. */
	from: z.string().exactOptional(),
	/** Git's status letter: A, D, M, R or T. */
	status: z.string(),
	modes: z.tuple([z.string(), z.string()]).readonly(),
	/** Number of added and removed lines; null for a binary file. */
	added: z.number().nullable(),
	removed: z.number().nullable(),
	/** Descriptions of a binary file before and after. */
	holds: z.tuple([z.string().nullable(), z.string().nullable()]).readonly().exactOptional(),
	/** True if the diff includes it; files that are too long are omitted, and repetitions of another file's change. */
	shown: z.boolean(),
	/** File whose diff shows the same change. */
	like: z.string().exactOptional(),
});
export type ListedFile = z.infer<typeof listedFile>;

/** Returns sentences about the files that a screen can't show, by name. */
export const unshownNotes = (files: readonly ListedFile[]): readonly string[] => {
	const long = files.filter(isTooLong);
	const noText = files.filter(({added}) => added === null);
	return [
		...told(
			'Too long to be shown on the screen',
			long.map(({path, added, removed}) => `${path} (+${added ?? 0} −${removed ?? 0})`),
		),
		...told(
			'Not shown, since it is not text',
			noText.map(file => {
				const content = contentText(file);
				return content === undefined ? file.path : `${file.path} (${content})`;
			}),
		),
		...[...repeatedChanges(files)].flatMap(([example, repeats]) =>
			told(`Not shown, since they change as ${example} does`, repeats),
		),
	];
};

/** Returns the description of a binary file: `PNG 32×32, 1.2 KiB → PNG 64×64, 3 KiB`. */
export const contentText = ({holds = [null, null]}: ListedFile): string | undefined => {
	const [before, after] = holds;
	return before === after
		? (after ?? undefined)
		: before === null || after === null
			? (before ?? after ?? undefined)
			: `${before} → ${after}`;
};

export const isTooLong = ({shown, like}: ListedFile): boolean => !shown && like === undefined;

/** Returns the files that repeat a change, by the file that shows it. */
export const repeatedChanges = oncePer(
	(files: readonly ListedFile[]): ReadonlyMap<string, readonly string[]> => {
		const repeating = files.filter(({like}) => like !== undefined);
		return new Map(
			[...Map.groupBy(repeating, ({like = ''}) => like)].map(([example, repeats]) => [
				example,
				repeats.map(({path}) => path),
			]),
		);
	},
);

const told = (what: string, names: readonly string[]): readonly string[] =>
	names.length === 0 ? [] : [`${what}: ${firstOf(names, mostNamed)}.`];

const mostNamed = 10;
