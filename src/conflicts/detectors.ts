import type {Detector} from './detector.ts';
import type {ConflictType} from './finding.ts';

/** All detectors; a type of conflict without its place here does not compile. */
export const detectors: {
	readonly [Type in ConflictType]: readonly Detector<Type>[];
} = {
	FILE_CONFLICT: [],
	IMPORT_CONFLICT: [],
	API_CONFLICT: [],
	TEST_CONFLICT: [],
};
