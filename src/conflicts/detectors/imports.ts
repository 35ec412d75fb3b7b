import type {Detector} from '../detector.ts';
import {droppedImport} from './dropped-import.ts';
import {gonePackage} from './gone-package.ts';
import {importedTwice} from './imported-twice.ts';
import {removedExport} from './removed-export.ts';
import {removedModule} from './removed-module.ts';
import {findByNames, type Rules} from './rule.ts';

/** Finds names that one side imports or uses while the other one takes away where they came from. */
export const importConflicts: Detector<'IMPORT_CONFLICT'> = {
	type: 'IMPORT_CONFLICT',
	rules: ['I1', 'I2', 'I3', 'I4', 'I5'],
	find: async comparison =>
		(await findByNames(comparison, rules)).map(found => ({type: 'IMPORT_CONFLICT', ...found})),
};

const rules: Rules<'IMPORT_CONFLICT'> = {
	directed: [removedModule, removedExport, droppedImport, gonePackage],
	mutual: [importedTwice],
};
