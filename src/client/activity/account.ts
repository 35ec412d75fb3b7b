import {readJson} from '../../lib/text/json.ts';
import {
	asFields,
	defined,
	fieldsAre,
	type Guarded,
	isNumber,
	isString,
	itemsAre,
	orMissing,
} from '../../lib/values.ts';
import {withPayment} from '../../state/agent/spending.ts';

/** Matches optional numbers. */
const some = orMissing(isNumber);

const cost = orMissing(fieldsAre({amount: isNumber, currency: isString}));

const entry = fieldsAre({content: isString, priority: isString, status: isString});

const diff = fieldsAre({path: isString, oldText: isString, newText: isString});

/** Matches the place of a detail: its time, agent, turn, and the number of bytes of the agent's words before it. */
const isPlaced = fieldsAre({at: isString, agent: isString, turn: isNumber, offset: isNumber});

const toolStates = ['pending', 'in_progress', 'completed', 'failed'] as const;

const kinds = {
	thought: fieldsAre({text: isString, message: orMissing(isString)}),
	plan: fieldsAre({entries: itemsAre(entry)}),
	tool: fieldsAre({
		id: isString,
		title: isString,
		tool: isString,
		status: (value): value is (typeof toolStates)[number] =>
			toolStates.some(state => state === value),
		paths: itemsAre(isString),
		command: orMissing(isString),
		diffs: orMissing(itemsAre(diff)),
		durationMs: some,
	}),
	tokens: fieldsAre({input: some, output: some, total: some, cost}),
	usage: fieldsAre({used: isNumber, size: isNumber, cost}),
	refusal: fieldsAre({title: isString}),
	trouble: fieldsAre({text: isString}),
	retrying: fieldsAre({why: isString}),
	unmet: fieldsAre({what: isString}),
	changed: fieldsAre({files: isNumber, paths: itemsAre(isString)}),
	load: fieldsAre({cpu: isNumber, memory: isNumber, processes: isNumber}),
	preparing: fieldsAre({text: isString}),
	introduction: fieldsAre({name: isString, version: isString}),
};

type Kinds = typeof kinds;

/** A telemetry entry of an agent. */
export type ReadDetail = {
	[Kind in keyof Kinds]: Guarded<typeof isPlaced> & {readonly kind: Kind} & Guarded<Kinds[Kind]>;
}[keyof Kinds];

type DetailOf<Kind extends ReadDetail['kind']> = Extract<ReadDetail, {kind: Kind}>;

/** Reads a line of the telemetry; a torn or unknown one returns nothing, since nothing is decided by it. */
export const readDetail = (line: string): ReadDetail | undefined => {
	const told = {offset: 0, ...asFields(readJson(line))};
	return isDetail(told) ? told : undefined;
};

const isDetail = (told: unknown): told is ReadDetail =>
	isPlaced(told) && 'kind' in told && isKind(told.kind) && kinds[told.kind](told);

const isKind = (kind: unknown): kind is keyof Kinds => isString(kind) && Object.hasOwn(kinds, kind);

/** A tool call of an agent. */
export type ToolUse = DetailOf<'tool'> & {
	/** Time at which it began. */
	readonly since: string;
	readonly diffs: readonly Diff[];
};

export type Diff = {readonly path: string; readonly oldText: string; readonly newText: string};

export type PlanEntry = DetailOf<'plan'>['entries'][number];

/** An action or report between an agent's words. */
export type Passage =
	| DetailOf<'thought'>
	| ToolUse
	/** New or changed entries of a plan. */
	| DetailOf<'plan'>
	| DetailOf<'refusal'>
	| DetailOf<'trouble'>
	| DetailOf<'retrying'>
	| DetailOf<'unmet'>
	| DetailOf<'introduction'>;

/** Reported usage of an agent. */
export type SpentTokens = {
	readonly tokens: number;
	/** Cost by currency. */
	readonly cost: Readonly<Record<string, number>>;
	/** Used share of its context window, from 0 to 1. */
	readonly context?: number;
};

/** Last outside observations of an agent. */
export type Latest = {
	/** Changed files in its scope: their number, and the first paths. */
	readonly changed?: Pick<DetailOf<'changed'>, 'at' | 'files' | 'paths'>;
	readonly load?: Pick<DetailOf<'load'>, 'at' | 'turn' | 'cpu' | 'memory' | 'processes'>;
	/** Last step of the preparation of its worktree. */
	readonly preparing?: Pick<DetailOf<'preparing'>, 'at' | 'text'>;
};

/** State of an agent's activity besides its words, folded from its details. */
export type Account = Latest & {
	readonly passages: readonly Passage[];
	/** Current plan. */
	readonly plan: readonly PlanEntry[];
	readonly spent: SpentTokens;
	/** Last self-counted cost, by currency. */
	readonly counted: Readonly<Record<string, number>>;
};

export const emptyAccount: Account = {
	passages: [],
	plan: [],
	spent: {tokens: 0, cost: {}},
	counted: {},
};

export const latestOf = ({changed, load, preparing}: Account): Latest =>
	defined({changed, load, preparing});

/** Maximum number of passages of an agent; the oldest are dropped. */
const kept = 300;

export const withDetail = (account: Account, detail: ReadDetail): Account => {
	switch (detail.kind) {
		case 'thought':
			return withPassages(account, withThought(account.passages, detail));
		case 'tool':
			return withPassages(account, withTool(account.passages, detail));
		case 'plan': {
			const entries = detail.entries.filter(entry => !isIn(account.plan, entry));
			const planned = {...account, plan: detail.entries};
			return entries.length === 0
				? planned
				: withPassages(planned, [...account.passages, {...detail, entries}]);
		}

		case 'tokens':
		case 'usage': {
			const {counted, ...spent} = withPayment({...account.spent, counted: account.counted}, detail);
			const context =
				detail.kind === 'usage' && detail.size > 0
					? {context: detail.used / detail.size}
					: defined({context: account.spent.context});
			return {...account, spent: {...spent, ...context}, counted};
		}

		case 'changed': {
			const {at, files, paths} = detail;
			return {...account, changed: {at, files, paths}};
		}

		case 'load': {
			const {at, turn, cpu, memory, processes} = detail;
			return {...account, load: {at, turn, cpu, memory, processes}};
		}

		case 'preparing': {
			const {at, text} = detail;
			return {...account, preparing: {at, text}};
		}

		default:
			return withPassages(account, [...account.passages, detail]);
	}
};

const withPassages = (account: Account, passages: readonly Passage[]): Account => ({
	...account,
	passages: passages.length > 2 * kept ? passages.slice(-kept) : passages,
});

/** Maximum length of a thought, in characters. */
const maximumThought = 20_000;

/** Adds a piece of a thought, to the last one unless words came between. */
const withThought = (
	passages: readonly Passage[],
	thought: DetailOf<'thought'>,
): readonly Passage[] => {
	const last = passages.at(-1);
	const goesOn =
		last?.kind === 'thought' &&
		last.turn === thought.turn &&
		last.offset === thought.offset &&
		last.message === thought.message &&
		last.text.length < maximumThought;
	return goesOn
		? [...passages.slice(0, -1), {...last, text: last.text + thought.text}]
		: [...passages, thought];
};

/** Updates a tool call in its place; ids of tool calls are the agent's own, and may repeat in another turn. */
const withTool = (passages: readonly Passage[], news: DetailOf<'tool'>): readonly Passage[] => {
	const at = passages.findLastIndex(
		passage => passage.kind === 'tool' && passage.id === news.id && passage.turn === news.turn,
	);
	const known = passages[at];
	if (known?.kind !== 'tool') {
		return [...passages, {...news, since: news.at, diffs: news.diffs ?? []}];
	}

	const {since, offset, diffs} = known;
	return passages.with(at, {...news, since, offset, diffs: news.diffs ?? diffs});
};

const isIn = (plan: readonly PlanEntry[], {content, status}: PlanEntry): boolean =>
	plan.some(known => known.content === content && known.status === status);

/** End of a line of an agent's words: the turn, and the number of bytes of that turn's transcript up to it. */
export type LineEnd = {readonly turn: number; readonly end: number};

/** A passage, and the index of the line that it precedes. */
export type PlacedPassage = {readonly passage: Passage; readonly before: number};

/**
Places an agent's passages among the kept lines of its words.

A passage follows the line that contains its place, since a line is not split. Passages before the first kept line precede it.
*/
export const placePassages = (
	{passages}: Pick<Account, 'passages'>,
	lines: readonly LineEnd[],
): readonly PlacedPassage[] => {
	const placed: PlacedPassage[] = [];
	let before = 0;
	for (const passage of passages) {
		while (isBefore(lines[before], lines[before - 1], passage)) {
			before++;
		}

		placed.push({passage, before});
	}

	return placed;
};

const isBefore = (
	line: LineEnd | undefined,
	last: LineEnd | undefined,
	{turn, offset}: Pick<Passage, 'turn' | 'offset'>,
): boolean => {
	if (line === undefined) {
		return false;
	}

	const start = last?.turn === line.turn ? last.end : 0;
	return line.turn < turn || (line.turn === turn && start < offset);
};
