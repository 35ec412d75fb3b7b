import type {Detector} from './detector.ts';
import {changedParameters} from './detectors/changed-parameters.ts';
import {definedTwice} from './detectors/defined-twice.ts';
import {droppedImport} from './detectors/dropped-import.ts';
import {gonePackage} from './detectors/gone-package.ts';
import {importedTwice} from './detectors/imported-twice.ts';
import {lostUse} from './detectors/lost-use.ts';
import {missingMember} from './detectors/missing-member.ts';
import {removedAndUsed} from './detectors/removed-and-used.ts';
import {removedExport} from './detectors/removed-export.ts';
import {removedModule} from './detectors/removed-module.ts';
import {findByNames} from './detectors/rule.ts';
import {sameTwice} from './detectors/same-twice.ts';
import {testOfChanged} from './detectors/test-of-changed.ts';
import {generated} from './file/generated.ts';
import {gitConflicts} from './file/git-conflicts.ts';
import {overlaps} from './file/overlaps.ts';
import {syntax} from './file/syntax.ts';
import type {ConflictType} from './finding.ts';
import {editedTwice} from './tests/edited-twice.ts';
import {goldens} from './tests/goldens.ts';

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
