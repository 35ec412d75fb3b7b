import type {Detector} from './detector.ts';
import {generated} from './detectors/file/generated.ts';
import {gitConflicts} from './detectors/file/git-conflicts.ts';
import {overlaps} from './detectors/file/overlaps.ts';
import {syntax} from './detectors/file/syntax.ts';
import {changedParameters} from './detectors/names/changed-parameters.ts';
import {definedTwice} from './detectors/names/defined-twice.ts';
import {droppedImport} from './detectors/names/dropped-import.ts';
import {gonePackage} from './detectors/names/gone-package.ts';
import {importedTwice} from './detectors/names/imported-twice.ts';
import {lostUse} from './detectors/names/lost-use.ts';
import {missingMember} from './detectors/names/missing-member.ts';
import {removedAndUsed} from './detectors/names/removed-and-used.ts';
import {removedExport} from './detectors/names/removed-export.ts';
import {removedModule} from './detectors/names/removed-module.ts';
import {findByNames} from './detectors/names/rule.ts';
import {sameTwice} from './detectors/names/same-twice.ts';
import {testOfChanged} from './detectors/names/test-of-changed.ts';
import {editedTwice} from './detectors/tests/edited-twice.ts';
import {goldens} from './detectors/tests/goldens.ts';
import type {ConflictType} from './finding.ts';

/** Finds names that one side imports or uses while the other one takes away where they came from. */
const imports: Detector<'IMPORT_CONFLICT'> = comparison =>
	findByNames('IMPORT_CONFLICT', comparison, {
		directed: [removedModule, removedExport, droppedImport, gonePackage],
		mutual: [importedTwice],
	});

/** Finds what one side changed in the ways to call its code while the other one began to use the old ones. */
const uses: Detector<'API_CONFLICT'> = comparison =>
	findByNames('API_CONFLICT', comparison, {
		directed: [removedAndUsed, changedParameters, missingMember, lostUse],
		mutual: [definedTwice, sameTwice],
	});

/** Finds tests of what the other side changed; whether they fail only a run can tell. */
const testsOfChanged: Detector<'TEST_CONFLICT'> = comparison =>
	findByNames('TEST_CONFLICT', comparison, {directed: [testOfChanged], mutual: []});

/** All detectors; a type of conflict without its place here does not compile. */
export const detectors: {
	readonly [Type in ConflictType]: readonly Detector<Type>[];
} = {
	FILE_CONFLICT: [gitConflicts, overlaps, syntax, generated],
	IMPORT_CONFLICT: [imports],
	API_CONFLICT: [uses],
	TEST_CONFLICT: [editedTwice, testsOfChanged, goldens],
};
