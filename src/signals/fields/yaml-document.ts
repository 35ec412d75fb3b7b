import type {Document, YAMLError} from 'yaml';
import {createBoundedYaml} from './bounded-yaml.ts';
import {Unreadable} from './unreadable.ts';

/**
Parses a text as YAML, core schema, in which a plain value may hold `: `; throws `Unreadable` for anything else that isn't YAML, and for what would take long.
*/
export const parseYaml = (body: string): Document.Parsed => {
	const parse = createBoundedYaml();
	const strict = parse(body);
	const lenient = withQuotedValues(body, strict.errors);
	const document = lenient === body ? strict : parse(lenient);
	const error = document.errors[0];
	if (error?.code === 'RESOURCE_EXHAUSTION') {
		throw new Unreadable('The block is nested too deeply to be read.');
	}

	if (error !== undefined) {
		const line = lenient.slice(0, error.pos[0]).split('\n').length;
		throw new Unreadable(`Line ${line} of the block is not YAML: ${error.message}.`);
	}

	return document;
};

/**
Quotes the plain values in which the parser met a `: `.

The parser's own errors tell where: everything else in the text, block scalars and quoted strings included, stays as it is. A value goes on over the lines that are indented deeper than its key, as in YAML.
*/
const withQuotedValues = (body: string, errors: readonly YAMLError[]): string => {
	const parts: string[] = [];
	let done = 0;
	for (const {code, pos} of errors) {
		const at = pos[0];
		if (code === 'BLOCK_AS_IMPLICIT_KEY' && at >= done && !startsWithIndicator(body, at)) {
			const end = endOfValue(body, at);
			const lines = body.slice(at, end).split('\n');
			const value = lines.map(line => line.replace(/(?:^|\s)#.*$/, '').trim()).join(' ');
			parts.push(body.slice(done, at), JSON.stringify(value.trim()), '\n'.repeat(lines.length - 1));
			done = end;
		}
	}

	return parts.join('') + body.slice(done);
};

const startsWithIndicator = (body: string, at: number): boolean =>
	/[[\]{},#&*!|>'"%@`]/.test(body.charAt(at)) || /^[-?:]\s/.test(body.slice(at, at + 2));

const endOfValue = (body: string, at: number): number => {
	const lineStart = body.lastIndexOf('\n', at - 1) + 1;
	const column = /^(?: |- )*/.exec(body.slice(lineStart, at))?.[0].length ?? 0;
	let end = endOfLine(body, at);
	for (let next = end; next < body.length; ) {
		const from = next + 1;
		next = endOfLine(body, from);
		const line = body.slice(from, next);
		if (line.trim() !== '') {
			if (line.length - line.trimStart().length <= column) {
				break;
			}

			end = next;
		}
	}

	return end;
};

const endOfLine = (body: string, from: number): number => {
	const at = body.indexOf('\n', from);
	return at === -1 ? body.length : at;
};
