import {readBlobs} from '../../git/tree/blobs.ts';
import type {Evidence} from '../finding.ts';
import type {LinkedSide, Linking} from './linking.ts';
import type {SourceFile} from './sources.ts';

/** A line of a file that speaks for a finding. */
export type Witness = {
	readonly side: LinkedSide;
	readonly file: SourceFile;
	/** Lines that say it; the first one that the side added is shown. */
	readonly lines: readonly number[];
	/** The line is one of the base, which the side took out or changed. */
	readonly removed?: true;
};

const longest = 200;

/** Returns lines as evidence, with their text. */
export const evidenceOf = async (
	{comparison}: Linking,
	witnesses: readonly Witness[],
): Promise<readonly Evidence[]> => {
	const before = ({side, file}: Witness) =>
		side.changes.find(({path}) => path === file.path)?.before?.oid;
	const oids = witnesses.flatMap(witness => [witness.file.oid, before(witness) ?? []].flat());
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
	return witnesses.map(witness => {
		const [lines, old] = [linesOf(witness.file.oid), new Set(linesOf(before(witness)))];
		const isNew = (line: number) => !old.has(lines[line - 1] ?? '');
		const line = witness.lines.find(isNew) ?? witness.lines[0] ?? 1;
		return {
			side: witness.side.name,
			path: witness.file.path,
			line,
			text: (lines[line - 1] ?? '').slice(0, longest),
			...(witness.removed === undefined ? {} : {removed: witness.removed}),
		};
	});
};
