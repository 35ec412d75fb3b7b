/** A field as help, the launch prompt and docs/signals.md show it. */
export type FieldHelp = {
	readonly name: string;
	readonly type: string;
	readonly presence: 'required' | 'optional' | 'defaulted';
	readonly meaning: string;
	/** Fields of each item, where items have fields. */
	readonly parts?: readonly FieldHelp[];
};

/**
How a signal is drawn in text; the parser has one reader per form.

- `block`: `[MARKER]`, YAML fields, `[/MARKER]`; `fieldNames` may follow the opening marker on its line
- `line`: `MARKER: value`, and directly below it lines that start with a label of `followers`; a value that `wraps` may go on there
- `word`: the marker alone on its line
- `banner`: a title line between two rules, sections below, a rule at the end; `heading` names the section or field that a line opens and `last` is the one after which a missing end is forgiven
- `object`: a JSON object for which `claims` is true of its text
- `table`: a Markdown table that has these `columns`, in any order and case
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

/** Every signal says which kind it is and on which line of the text, from 1, its opening marker stands; on `noLine` when it was said by a tool. */
export type Said = {readonly kind: string; readonly line: number; readonly agent?: string};

/** The line of a signal that stands in no text. */
export const noLine = 0;

/** A tool's input as JSON Schema, for the agent; `read` is what validates. */
export type Schema = {readonly [keyword: string]: unknown};

/** How an agent says a signal without writing it: by a tool that takes the signal's own fields. */
export type Tool<Signal extends Said = Said> = {
	readonly name: string;
	/** One line that says what the tool is for. */
	readonly help: string;
	readonly schema: Schema;
	/** Reads the fields that a call gave, by the rules that hold for the text; throws `Unreadable` or `OnlyExample`. */
	read(fields: ToolFields): Signal;
};

/** The arguments of a tool call. */
export type ToolFields = Readonly<Record<string, unknown>>;

/**
What becomes of whoever says a signal, and of its words.

- `asks`: a person decides, and the agent waits; `answer` begins the sentence that tells it so, which ends with the items
- `concludes`: the agent says that its subtask is over
- `informs`: it is kept, and nothing waits for it
*/
export type Meaning =
	| {readonly kind: 'asks'; readonly answer: string}
	| {readonly kind: 'concludes'}
	| Informs;

export type Informs = {readonly kind: 'informs'; readonly answer?: never};

/**
All there is to know about one signal. Parser, launch prompt, help and tests loop over definitions and know no signal by name.
*/
export type Definition<Signal extends Said = Said, Means extends Meaning = Meaning> = {
	readonly kind: string;
	/** Unique among definitions, and what stands in the text: `STOP_WORK`, `AGENT CHECKPOINT`. */
	readonly marker: string;
	readonly form: SignalForm;
	readonly meaning: Means;
	/** One line that says what the signal is for. */
	readonly help: string;
	readonly fields: readonly FieldHelp[];
	/** Texts that are exactly one such signal; at least two. */
	readonly examples: readonly string[];
	/** A text that looks like the signal and isn't one, or can't be read. */
	readonly nearMiss: string;
	/** The text to fill in, with a placeholder `‹…›` for every value; never a signal itself. */
	readonly template: string;
	/** Reads the text that the form collected; throws `Unreadable` or `OnlyExample`. */
	read(text: string, line: number): Signal;
	/** Writes the signal so that reading gives it back. */
	print(signal: Signal): string;
	/** Tells the signal to a person, as one line behind its agent's name. */
	told(signal: Signal): string;
	/** Of signals that can be said by a tool, too. */
	readonly tool?: Tool<Signal>;
};

/** The signal that a definition yields. */
export type SignalOf<D> = D extends Definition<infer Signal> ? Signal : never;

/** The same of a definition whose signal only informs. */
export type InformingOf<D> = D extends {readonly meaning: Informs} ? SignalOf<D> : never;
