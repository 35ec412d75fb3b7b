import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {signals} from '../../src/signals/index.ts';
import {parse, parseChunks} from './parse.ts';

const folder = join(import.meta.dirname, '../../fixtures/transcripts');
const names = readdirSync(folder)
	.filter(name => name.endsWith('.txt'))
	.map(name => name.slice(0, -'.txt'.length));

const bytesOf = (name: string): Uint8Array => readFileSync(join(folder, `${name}.txt`));

const expectedOf = (name: string): unknown[] =>
	readFileSync(join(folder, `${name}.expected.ndjson`), 'utf8')
		.split('\n')
		.filter(line => line !== '')
		.map(line => JSON.parse(line));

test.each(names)('%s says what stands beside it', name => {
	expect(parse(bytesOf(name))).toEqual(expectedOf(name));
});

test.each(names)('%s says the same byte by byte', name => {
	const bytes = bytesOf(name);
	const chunks = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
	expect(parseChunks(chunks)).toEqual(expectedOf(name));
});

test.each(names)('%s says the same with the line ends of Windows', name => {
	const text = new TextDecoder('utf-8', {ignoreBOM: true}).decode(bytesOf(name));
	const withCarriageReturns = text.replaceAll(/\r*\n/g, '\r\n');
	expect(parse(withCarriageReturns)).toEqual(expectedOf(name));
});

test('the transcripts say every kind of signal, malformed ones too', () => {
	const kinds = new Set(names.flatMap(expectedOf).map(said => (said as {kind: string}).kind));
	const missing = ['malformed', ...signals.map(({kind}) => kind)].filter(kind => !kinds.has(kind));
	expect(missing).toEqual([]);
	expect(names.length).toBeGreaterThanOrEqual(60);
});
