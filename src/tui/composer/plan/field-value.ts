import {parse} from 'yaml';
import {splitCommands} from '../command-list.ts';
import type {FieldKind} from '../model/field.ts';
import {splitWords} from '../word-list.ts';
import type {PartValue} from './yaml-part.ts';

/** Reads a field's text as what stands in the plan file; an agent's is read by `agentEntry`, and what is no number stays as it is written, so that it is told. */
export const fieldValue = (kind: FieldKind, text: string): PartValue => {
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
		case 'yaml':
			return yamlValue(text);
	}
};

/** What is no YAML yet stays as it is written, so that it is told. */
const yamlValue = (text: string): PartValue => {
	try {
		const value: unknown = parse(text, {stringKeys: true});
		return Array.isArray(value) ? value : text;
	} catch {
		return text;
	}
};
