import {readBlobs} from '../../git/tree/blobs.ts';
import {defined} from '../../lib/values.ts';
import type {Evidence} from '../finding.ts';
import type {LinkedSide, Linking} from './linking.ts';
import type {SourceFile} from './sources.ts';

/** A line of a file that speaks for a finding. */
export type EvidenceLine = {
	readonly side: LinkedSide;
	readonly file: Pick<SourceFile, 'path' | 'oid'>;
	/** Lines that say it; the first one that the side added is shown. */
	readonly lines: readonly number[];
	/** The line is one of the base, which the side took out or changed. */
	readonly removed?: true;
};

const longest = 200;

/** Returns lines as evidence, with their text. */
export const evidenceOf = async (
	{comparison}: Linking,
	evidenceLines: readonly EvidenceLine[],
): Promise<readonly Evidence[]> => {
	const before = ({side, file}: EvidenceLine) =>
		side.changes.find(({path}) => path === file.path)?.before?.oid;
	const oids = evidenceLines.flatMap(shown => [shown.file.oid, before(shown) ?? []].flat());
	if (oids.length === 0) {
		return [];
	}

	const blobs = await readBlobs(comparison.store, oids);
	const linesOf = (oid: string | undefined): readonly string[] =>
		blobs
			.get(oid ?? '')
			?.toString('utf8')
			.split('\n')
			.map(line => line.trim()) ?? [];
	return evidenceLines.map(shown => {
		const [lines, old] = [linesOf(shown.file.oid), new Set(linesOf(before(shown)))];
		const isNew = (line: number) => !old.has(lines[line - 1] ?? '');
		const line = shown.lines.find(isNew) ?? shown.lines[0] ?? 1;
		return {
			side: shown.side.name,
			path: shown.file.path,
			line,
			text: (lines[line - 1] ?? '').slice(0, longest),
			...defined({removed: shown.removed}),
		};
	});
};
