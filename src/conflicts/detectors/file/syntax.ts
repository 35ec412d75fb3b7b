import {parseDocument} from 'yaml';
import {entriesAt} from '../../../git/tree/entry.ts';
import {type Comparison, type Detector, type FindingOf, keyOf} from '../../finding.ts';
import {readTexts} from '../../hunks.ts';
import {changeAt, mergedOverlapOf} from '../../input.ts';

/** F3: JSON and YAML that is valid on both sides, but not in the merge. */
export const syntax: Detector<'FILE_CONFLICT'> = async comparison => {
	const {store, merged} = comparison;
	const paths = mergedOverlapOf(comparison).filter(path => readerOf(path) !== undefined);
	if (paths.length === 0) {
		return [];
	}

	const entries = await entriesAt(store, merged, paths);
	const found = await Promise.all(paths.map(path => findAt(comparison, path, entries.get(path))));
	return found.flat();
};

const findAt = async (
	{store, a, b}: Comparison,
	path: string,
	merged: {readonly mode: string; readonly oid: string} | undefined,
): Promise<readonly FindingOf<'FILE_CONFLICT'>[]> => {
	const [one, other] = [changeAt(a, path), changeAt(b, path)].map(change =>
		change === undefined || change.status === 'D' ? undefined : change.new,
	);
	const texts = await readTexts(store, [one, other, merged]);
	const [before, beside, after] = [texts(one), texts(other), texts(merged)];
	const mistake = after && mistakeIn(path, after);
	return !mistake || !before || !beside || mistakeIn(path, before) || mistakeIn(path, beside)
		? []
		: [
				{
					type: 'FILE_CONFLICT',
					rule: 'F3',
					kind: 'syntax',
					path,
					key: keyOf('F3', path),
					blocking: true,
					confidence: 'high',
					summary: `Merged, ${path} can no longer be read: ${mistake}.`,
					evidence: [
						{side: 'a', path},
						{side: 'b', path},
					],
				},
			];
};

type Reader = (text: string) => string | undefined;

const readerOf = (path: string): Reader | undefined =>
	/\.(?:json|ipynb|webmanifest)$|(?:^|\/)(?:flake|composer)\.lock$/i.test(path)
		? readJson
		: /\.ya?ml$/i.test(path)
			? readYaml
			: undefined;

/** Returns the syntax error of a file, if any; nothing for a name without a known format. */
export const mistakeIn = (path: string, lines: readonly string[]): string | undefined =>
	readerOf(path)?.(lines.join('\n'));

const readJson: Reader = text => {
	try {
		JSON.parse(text);
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
};

const readYaml: Reader = text =>
	parseDocument(text, {prettyErrors: false, logLevel: 'silent'}).errors[0]?.message;
