import {Failure} from '../lib/failure.ts';
import {type Fault, segmentPath} from './scan.ts';

/** Returns the failure for a journal that can't be read after a certain line. */
export const faultFailure = (folder: string, fault: Fault): Failure => {
	const path = segmentPath(folder, fault.segment);
	if (fault.kind === 'unknown-version') {
		return new Failure(
			'refused',
			`${path} is written in version ${fault.version} of the journal format, which this program doesn’t know.`,
			{hint: 'Use the newer delegate-tui that wrote it.'},
		);
	}

	return new Failure('refused', `${path} is damaged in line ${fault.line}: ${fault.reason}.`, {
		hint: 'Nothing was changed. To see the undamaged part, and how to go on without the rest: delegate-tui doctor',
	});
};

/** Returns the failure for a journal that belongs to another session. */
export const foreignFailure = (folder: string, found: string, wanted: string): Failure =>
	new Failure('refused', `The journal in ${folder} belongs to session ${found}, not ${wanted}.`, {
		hint: 'Nothing was changed. How to go on: delegate-tui doctor',
	});
