import type {Detector} from './detector.ts';
import {apiConflicts} from './detectors/api.ts';
import {importConflicts} from './detectors/imports.ts';
import {testConflicts} from './detectors/tests.ts';
import {generated} from './file/generated.ts';
import {gitConflicts} from './file/git-conflicts.ts';
import {overlaps} from './file/overlaps.ts';
import {syntax} from './file/syntax.ts';
import type {ConflictType} from './finding.ts';
import {editedTwice} from './tests/edited-twice.ts';
import {goldens} from './tests/goldens.ts';

/** All detectors; a type of conflict without its place here does not compile. */
export const detectors: {
	readonly [Type in ConflictType]: readonly Detector<Type>[];
} = {
	FILE_CONFLICT: [gitConflicts, overlaps, syntax, generated],
	IMPORT_CONFLICT: [importConflicts],
	API_CONFLICT: [apiConflicts],
	TEST_CONFLICT: [editedTwice, testConflicts, goldens],
};
