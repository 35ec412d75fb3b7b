import type {ToolFields} from './definition.ts';
import {Unreadable} from './fields/unreadable.ts';
import {type Entries, readBody} from './fields/yaml.ts';
import {BLOCK_LENGTH} from './parser/open.ts';

/** Reads the fields of a call like the body of a block, so that the same rules apply: JSON is YAML. */
export const readToolFields = (given: ToolFields): Entries => {
	const body = JSON.stringify(given);
	if (body.length > BLOCK_LENGTH) {
		throw new Unreadable('The call holds more than 16 KiB.');
	}

	return readBody(body);
};
