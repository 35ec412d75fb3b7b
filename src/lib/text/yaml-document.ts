import {
	Composer,
	type Document,
	type ErrorCode,
	isAlias,
	isMap,
	isNode,
	isScalar,
	isSeq,
	Lexer,
	LineCounter,
	Parser,
	visit,
	type YAMLMap,
} from 'yaml';

/** A position in a file; line and column count from 1. */
export type SourcePosition = {
	readonly file: string;
	readonly line: number;
	readonly column: number;
};

/**
A problem in a file, as one sentence with its position. The sentence never quotes values of the file, since
values may be secret.
*/
export type Problem = SourcePosition & {
	readonly level: 'error' | 'warning';
	readonly message: string;
	readonly hint?: string;
};

/** Path from the top of a document to a value: keys and indexes. */
export type DocumentPath = readonly PropertyKey[];

/**
Returns the position of the value at a path, or with `part: 'key'` of its key.

A missing value has the position of its closest existing parent.
*/
export type PositionOf = (path: DocumentPath, part?: 'key' | 'value') => SourcePosition;

/** A parsed YAML file; `value` is `null` if it contains only comments. */
export type YamlDocument = {
	readonly value: unknown;
	readonly positionOf: PositionOf;
};

type Finding = {
	readonly offset: number;
	readonly message: string;
	readonly hint?: string;
};

const maximumBytes = 1_048_576;

/** Maximum number of a file's names, values, marks and line ends: it takes at most some seconds, and people don't write longer files by hand. */
const maximumParts = 200_000;
const maximumFindings = 20;

/**
Parses one YAML document of at most 1 MiB and 200,000 parts, with the positions of its values.

Keys are always text, tags are refused, and a key may occur once in a map.
*/
export const readYaml = (
	text: string,
	file: string,
): {readonly document: YamlDocument} | {readonly problems: readonly Problem[]} => {
	if (isTooBig(text)) {
		const message = 'The file is bigger than 1 MiB.';
		return {problems: [{level: 'error', message, file, line: 1, column: 1}]};
	}

	const lines = new LineCounter();
	const options = {stringKeys: true, resolveKnownTags: false};
	const parsed = createYamlParser(maximumParts, options)(text, lines.addNewLine);
	if (parsed === 'too many parts') {
		const message = `The file has more than ${maximumParts} parts, such as values and marks.`;
		return {problems: [{level: 'error', message, file, line: 1, column: 1}]};
	}

	const {document: yaml, next} = parsed;
	const positionAt = (offset: number): SourcePosition => {
		const {line, col} = lines.linePos(offset);
		return {file, line: Math.max(1, line), column: Math.max(1, col)};
	};

	const read = toValue(yaml, next);
	if ('findings' in read) {
		const problems = read.findings.map(({offset, ...finding}) => ({
			level: 'error' as const,
			...finding,
			...positionAt(offset),
		}));
		return {problems: firstOfEachLine(problems)};
	}

	const positionOf: PositionOf = (path, part = 'value') => positionAt(offsetOf(yaml, path, part));
	return {document: {value: read.value, positionOf}};
};

const isTooBig = (text: string): boolean =>
	text.length > maximumBytes || new TextEncoder().encode(text).length > maximumBytes;

/** A parsed text, and the position of another document in it, if any. */
type ParsedYaml = {readonly document: Document.Parsed; readonly next: number | undefined};

/**
Creates a YAML parser with a limit on the number of names, values, marks and line ends in all texts that it parses.

Their number determines the time, not the length of a text: half a megabyte of commas takes longer than a minute. The library's own search for repeated keys compares each with each, so readers look for them. It creates an error for each problem, thousands in a malicious text, and their stacks would take most of the time, so stacks are off.
*/
export const createYamlParser = (
	limit: number,
	options: ConstructorParameters<typeof Composer>[0] = {},
) => {
	let left = limit;

	/** Does the same as the library's own parser, but can be stopped in between. */
	function* tokensOf(text: string, onNewLine?: (offset: number) => void) {
		const parser = new Parser(onNewLine);
		onNewLine?.(0);
		for (const part of new Lexer().lex(text)) {
			left -= 1;
			if (left < 0) {
				return;
			}

			yield* parser.next(part);
		}

		yield* parser.end();
	}

	return (text: string, onNewLine?: (offset: number) => void): ParsedYaml | 'too many parts' => {
		const {stackTraceLimit} = Error;
		Error.stackTraceLimit = 0;
		try {
			const composer = new Composer({
				...{schema: 'core', prettyErrors: false, uniqueKeys: false, logLevel: 'error'},
				...options,
			});
			const [document, other] = composer.compose(tokensOf(text, onNewLine), true, text.length);
			return document === undefined || left < 0
				? 'too many parts'
				: {document, next: other?.range[0]};
		} finally {
			Error.stackTraceLimit = stackTraceLimit;
		}
	};
};

const toValue = (
	yaml: Document.Parsed,
	next: number | undefined,
): {readonly value: unknown} | {readonly findings: readonly Finding[]} => {
	const faults: readonly Finding[] = [
		...[...yaml.errors, ...yaml.warnings].map(({code, pos}) => ({
			offset: pos[0],
			...wording[code],
		})),
		...(next === undefined ? [] : [{offset: next, ...wording.MULTIPLE_DOCS}]),
	];
	if (faults.length > 0) {
		return {findings: faults};
	}

	const findings = findRepeats(yaml);
	if (findings.length > 0) {
		return {findings};
	}

	try {
		return {value: yaml.toJS({maxAliasCount: 100})};
	} catch {
		return {findings: [{offset: 0, message: 'The file uses more than 100 aliases.'}]};
	}
};

/** Finds repeated keys in maps, and aliases without an anchor, which the parser accepts. */
const findRepeats = (yaml: Document.Parsed): readonly Finding[] => {
	const findings: Finding[] = [];
	const anchors = new Set<string>();
	visit(yaml, (_, node) => {
		if (isAlias(node)) {
			if (!anchors.has(node.source)) {
				findings.push({offset: startOf(node) ?? 0, ...wording.BAD_ALIAS});
			}

			return;
		}

		if (isNode(node) && 'anchor' in node && typeof node.anchor === 'string') {
			anchors.add(node.anchor);
		}

		if (isMap(node)) {
			findings.push(...repeatedKeys(node));
		}
	});
	return findings;
};

const repeatedKeys = (map: YAMLMap): readonly Finding[] => {
	const seen = new Set<unknown>();
	return map.items.flatMap(({key}) => {
		const name = isScalar(key) ? key.value : undefined;
		const isRepeated = seen.has(name);
		seen.add(name);
		return isRepeated ? [{offset: startOf(key) ?? 0, ...wording.DUPLICATE_KEY}] : [];
	});
};

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);

const offsetOf = (yaml: Document.Parsed, path: DocumentPath, part: 'key' | 'value'): number => {
	let node: unknown = yaml.contents;
	let offset = startOf(node) ?? 0;
	for (const [index, step] of path.entries()) {
		const child = childOf(node, step);
		if (child === undefined) {
			return offset;
		}

		const isNamed = part === 'key' && index === path.length - 1;
		const key = startOf(child.key);
		const value = startOf(child.value);
		offset = (isNamed ? (key ?? value) : (value ?? key)) ?? offset;
		node = child.value;
	}

	return offset;
};

const childOf = (
	node: unknown,
	step: PropertyKey,
): {readonly key?: unknown; readonly value: unknown} | undefined => {
	if (isMap(node)) {
		return node.items.find(({key}) => isScalar(key) && key.value === step);
	}

	return isSeq(node) && typeof step === 'number' && step < node.items.length
		? {value: node.items[step]}
		: undefined;
};

/** Returns one problem per line: a fault often causes others later in its line. */
const firstOfEachLine = (problems: readonly Problem[]): readonly Problem[] => {
	const byLine = Map.groupBy(problems, ({line}) => line);
	return [...byLine.values()].flatMap(([first]) => first ?? []).slice(0, maximumFindings);
};

const indentHint = 'Indent the keys of one map alike, and quote a value that holds `: ` or ` #`.';
const closeHint = 'Every quote, `[` and `{` needs its other half.';
const quoteHint = 'Put the value in quotes.';

/** Our own sentence for each fault: the parser's may quote the file, and `env` values are secret. */
const wording: Readonly<Record<ErrorCode, {readonly message: string; readonly hint?: string}>> = {
	ALIAS_PROPS: {message: 'An alias takes no anchor and no tag of its own.'},
	BAD_ALIAS: {
		message:
			'A value that starts with `*` is an alias to YAML, and no anchor before it has its name.',
		hint: 'Put a glob that starts with `*` in quotes.',
	},
	BAD_COLLECTION_TYPE: {message: 'This tag does not fit its value.', hint: quoteHint},
	BAD_DIRECTIVE: {message: 'This `%` directive is not known.', hint: quoteHint},
	BAD_DQ_ESCAPE: {
		message: 'This backslash sequence is not known in double quotes.',
		hint: 'Use single quotes, which take a backslash as it is.',
	},
	BAD_INDENT: {
		message: 'The indentation does not fit, or a bracket before is not closed.',
		hint: closeHint,
	},
	BAD_PROP_ORDER: {message: 'An anchor or tag is in the wrong place.', hint: quoteHint},
	BAD_SCALAR_START: {
		message: 'A value without quotes can’t start with this character.',
		hint: quoteHint,
	},
	BLOCK_AS_IMPLICIT_KEY: {message: 'A key can’t be here.', hint: indentHint},
	BLOCK_IN_FLOW: {message: 'Inside `[ ]` and `{ }` no indented block can stand.', hint: closeHint},
	DUPLICATE_KEY: {
		message: 'This key is already in the same map.',
		hint: 'Keep one of the two.',
	},
	IMPOSSIBLE: {message: 'This can’t be read as YAML.'},
	KEY_OVER_1024_CHARS: {message: 'A key is longer than 1024 characters.', hint: closeHint},
	MISSING_CHAR: {message: 'Something is not closed or not separated here.', hint: closeHint},
	MULTILINE_IMPLICIT_KEY: {message: 'A key must stand on one line.', hint: indentHint},
	MULTIPLE_ANCHORS: {message: 'A value can have one anchor only.', hint: quoteHint},
	MULTIPLE_DOCS: {
		message: 'A second document starts here, and a file may hold one only.',
		hint: 'Remove the `---` line, or split the file.',
	},
	MULTIPLE_TAGS: {message: 'A value can have one tag only.', hint: quoteHint},
	NON_STRING_KEY: {message: 'A key must be plain text.', hint: quoteHint},
	RESOURCE_EXHAUSTION: {message: 'The file nests too deep.'},
	TAB_AS_INDENT: {
		message: 'A tab indents this line, and YAML takes only spaces.',
		hint: 'Replace the tab by spaces.',
	},
	TAG_RESOLVE_FAILED: {
		message: 'A value that starts with `!` is a tag to YAML, and tags are not read here.',
		hint: quoteHint,
	},
	UNEXPECTED_TOKEN: {message: 'This does not fit what comes before it.', hint: indentHint},
};
