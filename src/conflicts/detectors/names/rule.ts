import {readBlobs} from '../../../git/tree/blobs.ts';
import {defined} from '../../../lib/values.ts';
import {
	type Comparison,
	type ConflictType,
	type Evidence,
	type FindingOf,
	keyOf,
} from '../../finding.ts';
import {type Direction, type LinkedSide, type Linking, linkingOf} from '../../linking/linking.ts';
import type {SourceFile} from '../../linking/sources.ts';

/** A line of a file as evidence of a finding. */
type EvidenceLine = {
	readonly side: LinkedSide;
	readonly file: Pick<SourceFile, 'path' | 'oid'>;
	/** Candidates; the first one that the side added is shown. */
	readonly lines: readonly number[];
	/** True for a line of the base that the side removed or changed. */
	readonly removed?: true;
};

/** A finding of a rule about names, before its lines are read. */
export type Found<Type extends ConflictType> = Pick<
	FindingOf<Type>,
	'rule' | 'path' | 'blocking' | 'confidence' | 'summary'
> & {
	/** Names that distinguish it from other findings at the path. */
	readonly names: readonly string[];
	readonly evidenceLines: readonly EvidenceLine[];
};

/** Finds breakages that one side causes for the other one. */
export type NameRule<Type extends ConflictType> = (
	linking: Linking,
	direction: Direction,
) => Promise<readonly Found<Type>[]>;

/** Finds duplicates that both sides made. */
export type MutualRule<Type extends ConflictType> = (
	linking: Linking,
) => Promise<readonly Found<Type>[]>;

type Rules<Type extends ConflictType> = {
	readonly directed: readonly NameRule<Type>[];
	readonly mutual: readonly MutualRule<Type>[];
};

/** Runs rules about the names of both sides, and reads the lines of their findings. */
export const findByNames = async <Type extends ConflictType>(
	type: Type,
	comparison: Comparison,
	{directed, mutual}: Rules<Type>,
) => {
	const linking = await linkingOf(comparison);
	if (linking === undefined) {
		return [];
	}

	const {a, b} = linking;
	const directions = [
		{breaker: a, user: b},
		{breaker: b, user: a},
	];
	const found: Found<Type>[] = [];
	for (const rule of directed) {
		for (const direction of directions) {
			found.push(...(await rule(linking, direction)));
		}
	}

	for (const rule of mutual) {
		found.push(...(await rule(linking)));
	}

	return (await shown(linking, distinct(found))).map(each => ({type, ...each}));
};

/** A finding without its type. */
type Shown<Type extends ConflictType> = Omit<Found<Type>, 'names' | 'evidenceLines'> & {
	readonly key: string;
	readonly evidence: readonly Evidence[];
};

const keyOfFound = <Type extends ConflictType>({rule, path, names}: Found<Type>): string =>
	keyOf(rule, path, ...names);

const distinct = <Type extends ConflictType>(
	found: readonly Found<Type>[],
): readonly Found<Type>[] =>
	[...new Map(found.toReversed().map(each => [keyOfFound(each), each])).values()].toReversed();

/** Looks up the lines of all findings at once. */
const shown = async <Type extends ConflictType>(
	linking: Linking,
	found: readonly Found<Type>[],
): Promise<readonly Shown<Type>[]> => {
	const all = found.flatMap(({evidenceLines}) => evidenceLines);
	const evidence = await evidenceOf(linking, all);
	return found.map(each => {
		const {names: _, evidenceLines, ...rest} = each;
		return {...rest, key: keyOfFound(each), evidence: evidenceLines.map(evidence)};
	});
};

const longest = 200;

/** Reads lines, and returns a function that makes evidence of each. */
const evidenceOf = async (
	{comparison}: Linking,
	lines: readonly EvidenceLine[],
): Promise<(shown: EvidenceLine) => Evidence> => {
	const before = ({side, file}: EvidenceLine) =>
		side.changes.find(({path}) => path === file.path)?.before?.oid;
	const oids = lines.flatMap(shown => [shown.file.oid, before(shown) ?? []].flat());
	const blobs = await readBlobs(comparison.store, oids);
	const linesOf = (oid = ''): readonly string[] =>
		(blobs.get(oid)?.toString('utf8') ?? '').split('\n').map(line => line.trim());
	return shown => {
		const [own, old] = [linesOf(shown.file.oid), new Set(linesOf(before(shown)))];
		const isNew = (line: number) => !old.has(own[line - 1] ?? '');
		const line = shown.lines.find(isNew) ?? shown.lines[0] ?? 1;
		return {
			side: shown.side.name,
			path: shown.file.path,
			line,
			text: (own[line - 1] ?? '').slice(0, longest),
			...defined({removed: shown.removed}),
		};
	};
};
