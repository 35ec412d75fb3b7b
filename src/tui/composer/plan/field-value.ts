import {splitCommands} from '../command-list.ts';
import type {FieldKind} from '../model/field.ts';
import {splitWords} from '../word-list.ts';

/** Reads a field's text as what stands in the plan file; an agent's is read by `agentEntry`, and what is no number stays as it is written, so that it is told. */
export const fieldValue = (kind: FieldKind, text: string): string | number | readonly string[] => {
	switch (kind) {
		case 'text':
		case 'agent':
			return text;
		case 'word':
			return text.trim();
		case 'number':
			return /^\s*\d+\s*$/.test(text) ? Number(text) : text;
		case 'words':
			return splitWords(text);
		case 'lines':
			return splitCommands(text);
	}
};
