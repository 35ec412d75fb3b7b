import type {DocumentPath, PositionOf, Problem} from '../../lib/text/yaml-document.ts';

/** A problem as rules find it: in a part of the plan, not yet at a place in a file. */
export type Finding = {
	readonly level: Problem['level'];
	readonly path: DocumentPath;
	readonly message: string;
	readonly hint?: string;
};

/** Puts a finding where its part of the plan stands in the file. */
export const toProblem = ({path, ...finding}: Finding, positionOf: PositionOf): Problem => ({
	...finding,
	...positionOf(path),
});
