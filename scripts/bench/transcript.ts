/** Kind of transcript: usual output of an agent, or output that is slow on purpose. */
export type TranscriptKind = keyof typeof makers;

/** The kinds of transcripts by name. */
export const transcriptKinds = (): readonly TranscriptKind[] =>
	Object.keys(makers) as TranscriptKind[];

/** Returns the kind of a name; throws if there is none. */
export const transcriptKind = (name: string | undefined): TranscriptKind => {
	const known = transcriptKinds().find(kind => kind === name);
	if (known === undefined) {
		throw new Error(`There are these kinds: ${transcriptKinds().join(', ')}.`);
	}

	return known;
};

/** Yields a transcript like a pipe. */
export async function* streamOf(kind: TranscriptKind, length: number): AsyncGenerator<Uint8Array> {
	yield* transcript(kind, length);
}

const chunkLength = 64 * 1024;

/** Yields a transcript of a length in bytes, in chunks like those of a pipe, made lazily. */
export function* transcript(kind: TranscriptKind, length: number): Generator<Uint8Array> {
	const piece = pieceOf(kind);
	let at = 0;
	for (let left = length; left > 0; left -= chunkLength) {
		const chunk = new Uint8Array(Math.min(chunkLength, left));
		for (let filled = 0; filled < chunk.length; ) {
			const part = piece.subarray(at, at + chunk.length - filled);
			chunk.set(part, filled);
			filled += part.length;
			at = (at + part.length) % piece.length;
		}

		yield chunk;
	}
}

const pieces = new Map<TranscriptKind, Uint8Array>();

/** Returns a cached piece: making it takes longer than reading it. */
const pieceOf = (kind: TranscriptKind): Uint8Array => {
	const piece = pieces.get(kind) ?? new TextEncoder().encode(makers[kind]());
	pieces.set(kind, piece);
	return piece;
};

/** Returns prose, a diff, a list of files and the output of tests, alternately, with a few signals. */
const workLog = (): string => {
	const round = (number: number): string =>
		[
			`I'll look at how the limiter counts requests before I change it (step ${number}). It keeps one bucket for each key, and the middleware asks it before the handler runs, so whatever we do here is paid by every request; that is why I measure first.`,
			'',
			'The bucket is refilled in `src/limit/bucket.ts`, once for every request:',
			'',
			'```ts',
			`export const refill = (bucket: Bucket, now: number): Bucket => ({`,
			`\t...bucket,`,
			`\ttokens: Math.min(bucket.size, bucket.tokens + (now - bucket.at) * ${number}),`,
			`});`,
			'```',
			'',
			`- src/limit/bucket.ts: ${number} lines, the arithmetic`,
			'- src/limit/middleware.ts: who asks it, with which key',
			'  - test/limit/bucket.test.ts has no case for a clock that goes back',
			'',
			'--- a/src/limit/bucket.ts',
			'+++ b/src/limit/bucket.ts',
			`@@ -${number},7 +${number},9 @@ export const refill`,
			'-\ttokens: bucket.tokens + elapsed,',
			'+\ttokens: Math.min(bucket.size, bucket.tokens + elapsed),',
			'',
			` ✓ test/limit/bucket.test.ts (${number} tests) 12ms`,
			' ✓ test/limit/middleware.test.ts (4 tests) 31ms',
			'Größe und Zustand stimmen; 残りのテストも通りました。',
			'',
			'The tests pass. Next I am going to write the case for a clock that goes back, since the time of a virtual machine may, and then look at what happens when two requests of one user arrive in the same millisecond.',
			'',
		].join('\n');
	const rounds = Array.from({length: 300}, (_, number) => round(number + 1));
	return `${rounds.join('\n')}\nPROGRESS: Limits - Checked 15/30 files\n${stop('no network')}\n`;
};

const stop = (details: string): string =>
	`[STOP_WORK]\nblocker_type: error\ndetails: ${details}\n[/STOP_WORK]\n`;

/** Returns the same in colours, as tools write for a terminal: in every line and some of its words. */
const colouredLog = (): string =>
	workLog()
		.split('\n')
		.map(line => `\x1b[2m${line.replaceAll(/\b[a-z]{6,}\b/g, '\x1b[36m$&\x1b[39m')}\x1b[0m`)
		.join('\n');

/** Returns blocks of 16 KiB with the worst cases of a YAML parser. */
const hostileBlocks = (): string =>
	[',', '[]', '- ', '"" ', '? \n', 'a: b: c\n', '&a ', '\n', '\t- x\n']
		.map(unit => unit.repeat(Math.floor(16_000 / unit.length)))
		.map(words => `[STOP_WORK]\ndetails: x\nstate_snapshot: [${words}]\n[/STOP_WORK]\n`)
		.join('');

const makers = {
	'work log': workLog,
	'coloured log': colouredLog,
	signals: () => stop('no network').repeat(100),
	'one line': () => 'all in one line, '.repeat(4096),
	'hostile blocks': hostileBlocks,
} as const satisfies Readonly<Record<string, () => string>>;
