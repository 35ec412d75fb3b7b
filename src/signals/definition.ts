/** A field in the help, the launch prompt and docs/signals.md. */
export type FieldHelp = {
	readonly name: string;
	readonly type: string;
	readonly presence: 'required' | 'optional' | 'defaulted';
	readonly meaning: string;
	/** Fields of each item, if items have fields. */
	readonly parts?: readonly FieldHelp[];
};

/**
Textual form of a signal; the parser has one reader per form.

- `block`: `[MARKER]`, YAML fields, `[/MARKER]`; `fieldNames` may follow the opening marker on its line
- `line`: `MARKER: value`, and directly below it lines that start with a label of `followers`; a value that `wraps` may continue there
- `word`: the marker alone on its line
- `banner`: a title line between two rules, sections below, a rule at the end; `heading` returns the section or field that a line opens, and after the section `last` the end may be missing
- `object`: a JSON object whose text `claims` accepts
- `table`: a Markdown table with these `columns`, in any order and case
*/
export type SignalForm =
	| {readonly type: 'block'; readonly fieldNames: ReadonlySet<string>}
	| {readonly type: 'line'; readonly followers: ReadonlySet<string>; readonly wraps: boolean}
	| {readonly type: 'word'}
	| {
			readonly type: 'banner';
			readonly heading: (line: string) => string | undefined;
			readonly last: string;
	  }
	| {readonly type: 'object'; readonly claims: (text: string) => boolean}
	| {readonly type: 'table'; readonly columns: readonly string[]};

/** Fields of every signal: its kind, and the line of its opening marker in the text, from 1, or `noLine` for a tool call. */
export type Said = {readonly kind: string; readonly line: number; readonly agent?: string};

/** Line of a signal without a text. */
export const noLine = 0;

/** A tool's input as JSON Schema, for the agent; `read` validates. */
export type Schema = {readonly [keyword: string]: unknown};

/** A tool with the effect of a signal, which takes the signal's fields. */
export type Tool<Signal extends Said = Said> = {
	readonly name: string;
	/** Purpose of the tool, in one line. */
	readonly help: string;
	readonly schema: Schema;
	/** Reads the fields of a call, by the same rules as for text; throws `Unreadable` or `OnlyExample`. */
	read(fields: ToolFields): Signal;
};

/** The arguments of a tool call. */
export type ToolFields = Readonly<Record<string, unknown>>;

/**
Effect of a signal on its agent, and on its content.

- `asks`: a person decides, and the agent waits; `answer` is the beginning of the sentence that tells it so, which ends with the items
- `concludes`: the agent reports that its subtask is over
- `informs`: it is stored, and nothing waits for it
*/
export type Meaning =
	| {readonly kind: 'asks'; readonly answer: string}
	| {readonly kind: 'concludes'}
	| Informs;

export type Informs = {readonly kind: 'informs'; readonly answer?: never};

/** The complete definition of one signal. Parser, launch prompt, help and tests loop over definitions and know no signal by name. */
export type Definition<Signal extends Said = Said, Means extends Meaning = Meaning> = {
	readonly kind: string;
	/** Text of the marker, unique among definitions: `STOP_WORK`, `AGENT CHECKPOINT`. */
	readonly marker: string;
	readonly form: SignalForm;
	readonly meaning: Means;
	/** Purpose of the signal, in one line. */
	readonly help: string;
	readonly fields: readonly FieldHelp[];
	/** Texts that are exactly one such signal; at least two. */
	readonly examples: readonly string[];
	/** Text that looks like the signal but isn't one, or is invalid. */
	readonly nearMiss: string;
	/** Text to fill in, with a placeholder `‹…›` for every value; never a signal itself. */
	readonly template: string;
	/** Reads the text that the form collected; throws `Unreadable` or `OnlyExample`. */
	read(text: string, line: number): Signal;
	/** Prints the signal so that reading returns it. */
	print(signal: Signal): string;
	/** Returns the signal for a person, as one line to follow its agent's name. */
	told(signal: Signal): string;
	/** Tool with the same effect, if any. */
	readonly tool?: Tool<Signal>;
};

/** Signal of a definition. */
export type SignalOf<D> = D extends Definition<infer Signal> ? Signal : never;

/** Signal of a definition that only informs. */
export type InformingOf<D> = D extends {readonly meaning: Informs} ? SignalOf<D> : never;
