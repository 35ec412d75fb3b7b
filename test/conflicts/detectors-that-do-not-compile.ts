import type {detectors} from '../../src/conflicts/compare.ts';
import type {Detector, FindingOf} from '../../src/conflicts/finding.ts';

/** `tsc` fails where one of these compiles; nothing here ever runs. */

// @ts-expect-error A type of conflict has no place in the list.
export const withoutTests: typeof detectors = {
	FILE_CONFLICT: [],
	IMPORT_CONFLICT: [],
	API_CONFLICT: [],
};

export const inAnothersPlace = (detector: Detector<'FILE_CONFLICT'>): typeof detectors => ({
	FILE_CONFLICT: [],
	// @ts-expect-error A detector stands in the place of another type.
	IMPORT_CONFLICT: [detector],
	API_CONFLICT: [],
	TEST_CONFLICT: [],
});

export const ofAnotherType = (finding: FindingOf<'FILE_CONFLICT'>): FindingOf<'FILE_CONFLICT'> => ({
	...finding,
	// @ts-expect-error The rule is one of another type.
	rule: 'A1',
});
