import {crc32} from 'node:zlib';
import {Failure} from '../lib/failure.ts';
import {plainJson, readJson} from '../lib/text/json.ts';
import {isObject} from '../lib/values.ts';

/** Fields of an event that the journal uses. */
export type JournalEntry = {
	/** 1 for the first entry of a session, then one more each, across segments. */
	readonly seq: number;
	/** ISO 8601, given by the caller. */
	readonly at: string;
	readonly kind: string;
};

/** First line of every segment. */
export type Header = {
	/** Version of the format. */
	readonly journal: 1;
	readonly session: string;
	/** 1 for `000001.ndjson`. */
	readonly segment: number;
	/** `seq` of the first entry in this segment, even if it isn't written yet. */
	readonly first: number;
};

/** A decoded line; text without a newline is no line yet. */
export type DecodedLine =
	| {readonly line: 'entry'; readonly entry: JournalEntry}
	| {readonly line: 'header'; readonly header: Header}
	| {readonly line: 'unknown-version'; readonly version: number}
	| {readonly line: 'corrupt'; readonly reason: string};

const sealStart = ',"crc":"';
const sealLength = `${sealStart}00000000"}`.length;
const utf8 = new TextDecoder();

/** Encodes a header or entry as a line, with its newline. The checksum is the CRC-32 of the line without its `crc` member, so that each line can be checked separately, and repaired by hand. */
export const encodeLine = (value: JournalEntry | Header): string => {
	if ('crc' in value) {
		throw new Failure('internal', 'An entry of the journal can’t have a member "crc" of its own.');
	}

	const text = plainJson(value);
	return `${text.slice(0, -1)}${sealStart}${hexadecimal(crc32(text))}"}\n`;
};

/** Decodes one line without its newline. A header without our checksum may come from a later version, which is different from a corrupt one. */
export const decodeLine = (bytes: Uint8Array): DecodedLine => {
	const body = bytes.subarray(0, -sealLength);
	const seal = utf8.decode(bytes.subarray(-sealLength));
	if (!seal.startsWith(sealStart) || !seal.endsWith('"}')) {
		return unsealed(bytes);
	}

	const sum = hexadecimal(crc32('}', crc32(body)));
	if (seal !== `${sealStart}${sum}"}`) {
		return {line: 'corrupt', reason: 'its checksum is wrong'};
	}

	return classify(readJson(`${utf8.decode(body)}}`));
};

const hexadecimal = (sum: number): string => sum.toString(16).padStart(8, '0');

const unsealed = (bytes: Uint8Array): DecodedLine => {
	const decoded = classify(readJson(utf8.decode(bytes)));
	return decoded.line === 'unknown-version'
		? decoded
		: {line: 'corrupt', reason: 'it has no checksum'};
};

const classify = (value: unknown): DecodedLine => {
	if (isEntry(value)) {
		return {line: 'entry', entry: value};
	}

	if (isHeader(value)) {
		return {line: 'header', header: value};
	}

	if (isObject(value) && typeof value.journal === 'number' && value.journal !== 1) {
		return {line: 'unknown-version', version: value.journal};
	}

	return {line: 'corrupt', reason: 'it is neither a header nor an entry'};
};

const isEntry = (value: unknown): value is JournalEntry =>
	isObject(value) &&
	isCount(value.seq) &&
	typeof value.at === 'string' &&
	typeof value.kind === 'string';

const isHeader = (value: unknown): value is Header =>
	isObject(value) &&
	value.journal === 1 &&
	typeof value.session === 'string' &&
	isCount(value.segment) &&
	isCount(value.first);

const isCount = (value: unknown): value is number =>
	Number.isSafeInteger(value) && Number(value) > 0;
