import type {Evidence, Finding} from '../../events/finding.ts';

/** More lines of a side than these are left out: a journal is to be read. */
const mostOfASide = 3;

/** Returns the first lines of each side at which a finding shows. */
export const firstEvidence = ({evidence}: Pick<Finding, 'evidence'>): readonly Evidence[] =>
	(['a', 'b'] as const).flatMap(side =>
		evidence.filter(one => one.side === side).slice(0, mostOfASide),
	);
