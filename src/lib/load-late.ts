import {Failure} from './failure.ts';
import {errorCode} from './files/reading.ts';

/**
Loads a part of the program that few keys and requests need, when one of them comes.

@throws `Failure` of kind `missing` if another version has replaced the running program, and with it this part's file
*/
export const loadLate = async <Part>(load: () => Promise<Part>): Promise<Part> => {
	try {
		return await load();
	} catch (cause) {
		throw errorCode(cause) === 'ERR_MODULE_NOT_FOUND'
			? new Failure('missing', 'This program was replaced by another version while it ran.', {
					hint: 'leave it and start it again',
					cause,
				})
			: cause;
	}
};
