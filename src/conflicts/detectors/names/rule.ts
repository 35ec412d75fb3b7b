import {
	type Comparison,
	type Confidence,
	type ConflictType,
	type Evidence,
	keyOf,
	type RulesByType,
} from '../../finding.ts';
import {type EvidenceLine, evidenceOf} from '../../linking/evidence.ts';
import {type Direction, type Linking, linkingOf} from '../../linking/linking.ts';

/** What a rule about names found, before its lines are looked up. */
export type Found<Type extends ConflictType> = {
	readonly rule: RulesByType[Type];
	readonly path: string;
	/** What it is about, to tell it from other findings at the path. */
	readonly names: readonly string[];
	readonly blocking: boolean;
	readonly confidence: Confidence;
	readonly summary: string;
	readonly evidenceLines: readonly EvidenceLine[];
};

/** Finds what one side broke for the other one. */
export type Rule<Type extends ConflictType> = (
	linking: Linking,
	direction: Direction,
) => Promise<readonly Found<Type>[]>;

/** Finds what both sides did. */
export type MutualRule<Type extends ConflictType> = (
	linking: Linking,
) => Promise<readonly Found<Type>[]>;

type Rules<Type extends ConflictType> = {
	readonly directed: readonly Rule<Type>[];
	readonly mutual: readonly MutualRule<Type>[];
};

/** Asks rules about the names of both sides, and looks up the lines of what they find. */
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

/** What was found, with its lines: all of a finding but its type. */
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
	const byLine = new Map(all.map((line, position) => [line, evidence[position]]));
	return found.map(each => {
		const {names: _, evidenceLines, ...rest} = each;
		const own = evidenceLines.flatMap(line => byLine.get(line) ?? []);
		return {...rest, key: keyOfFound(each), evidence: own};
	});
};
