import type {Model} from '../../client/model.ts';
import type {Asked} from '../../client/supervisor/request-within.ts';
import type {ListedConversation} from '../../events/listed-conversation.ts';
import type {Step} from '../../rules/by-hand/steps.ts';
import type {PushOffer} from '../../rules/push-offer.ts';
import type {UndoOrRedo} from '../../state/merge/publication.ts';
import type {State} from '../../state/state.ts';
import type {Composition, PlanForm} from '../plan/composition.ts';
import type {Desk, KnownFile, Progress} from '../plan/desk.ts';
import type {Highlight} from '../rows/highlighter.ts';
import {isShort, type Size} from '../terminal/full-screen.ts';
import {type Draft, emptyDraft} from './draft.ts';

/** A place of the screen. */
export type Place =
	| {readonly at: 'board'}
	/** `back`: place to return to if the agent was opened in the middle of something else. */
	| {
			readonly at: 'agent';
			readonly agent: string;
			readonly show: 'words' | 'work' | 'about';
			readonly back?: Place;
	  }
	/** Questions of this session with their answers. */
	| {readonly at: 'answers'; readonly back: Place}
	| {readonly at: 'inbox'}
	| ItemPlace
	| QuestionsPlace
	| {readonly at: 'log'}
	/** Output of the check of the merged result. */
	| {readonly at: 'check'; readonly back: Place}
	| MatrixPlace
	/** Findings between two sides, the second of which may be `target`. */
	| {
			readonly at: 'findings';
			readonly between: readonly [string, string];
			readonly back: MatrixPlace;
	  }
	| HunksPlace
	| PlanPlace
	/** `scroll`: scroll position of that place, to be restored. */
	| {readonly at: 'help'; readonly back: Place; readonly scroll: View['scroll']};

/** The matrix of collisions; without a cell, none is selected yet. */
export type MatrixPlace = {
	readonly at: 'matrix';
	/** Id of an agent, and of another one or `target`. */
	readonly cell: readonly [string, string] | undefined;
};

/** An open item, as it was when it was opened. */
export type ItemPlace = {
	readonly at: 'item';
	readonly item: string;
	/** The item's content when it was opened; see `bindingOf`. */
	readonly binding: string;
	readonly from: 'board' | 'inbox';
	/** Choice that Enter takes; none until one is selected. */
	readonly cursor: number | undefined;
	/** Marked options of a question that takes several. */
	readonly marked: readonly string[];
	/** True if the answer is for all agents that ask the same. */
	readonly together: boolean;
	/** For a conflict: its facts, or the outcome of a choice. */
	readonly shows: 'facts' | 'outcome';
};

/** Several questions of one agent, in one form. */
export type QuestionsPlace = {
	readonly at: 'questions';
	readonly agent: string;
	/** Number of the event that asked them. */
	readonly group: number;
	/** Each question's content when the form was opened, by id; see `bindingOf`. */
	readonly bindings: Readonly<Record<string, string>>;
	/** Current question; none at the end, where all answers are sent. */
	readonly item: string | undefined;
	/** Option that Enter takes; none until one is selected. */
	readonly cursor: number | undefined;
	/** Marked options, if the question takes several. */
	readonly marked: readonly string[];
	/** True if each answer is for all agents that ask the same. */
	readonly together: boolean;
	readonly from: ItemPlace['from'];
};

/** The hunks of a conflict to resolve by hand, or of an agent's work to pick from. */
export type HunksPlace = {
	readonly at: 'hunks';
	readonly of: 'conflict' | 'work';
	/** The conflict, or the item about the work. */
	readonly item: string;
	/** Rival whose work is picked from; the parts are taken into the work of the item. */
	readonly rival?: string;
	/** Current hunk, counted from 0 over all files; the first unresolved one until one is selected. */
	readonly hunk: number | undefined;
	/** True if the base is shown although there is no room beside the sides. */
	readonly withBase: boolean;
	readonly from: ItemPlace['from'];
};

/** The form of a plan. */
export type PlanPlace = {
	readonly at: 'plan';
	readonly desk: Desk;
	readonly composition: Composition;
	/** Plan that was last checked; the check waits for a pause while the person writes. */
	readonly judged: Composition;
	/** Form as last saved, opened or begun. */
	readonly kept: PlanForm;
	readonly file: KnownFile | undefined;
	/** Index of the current field. */
	readonly cursor: number;
	/** Conversations that the agent of a subtask listed last. */
	readonly listed?: readonly ListedConversation[];
	/** Kinds of missing fields that the person was asked about; each is asked about once. */
	readonly asked: readonly string[];
	/** Place to return to; a new session's form leaves the screen instead. */
	readonly back: Place;
};

/** Contents of a palette: everything, or values for a field of a plan. */
export type PaletteContent = 'all' | 'files' | 'conversations';

/** Text for the supervisor, which is kept in the drafts under this key while its field is closed. */
type KeptText = {readonly keptAs: string; readonly draft: Draft};

/** A modal state, which gets all keys. */
export type Dialog =
	| {readonly kind: 'none'}
	| ({readonly kind: 'note'; readonly choice: string} & KeptText)
	/** The answer to a question. */
	| ({readonly kind: 'answer'} & KeptText)
	/** A message to an agent; with `now` its turn is cut short for it. */
	| ({readonly kind: 'message'; readonly agent: string; readonly now: boolean} & KeptText)
	/** The profile with which an agent starts over; `item` is its failure, if it has failed. */
	| ({readonly kind: 'profile'; readonly agent: string; readonly item?: string} & KeptText)
	/** A selection of lines in a diff: the index of the current line, and of the first selected one, if any. */
	| {
			readonly kind: 'lines';
			readonly resource: string;
			readonly at: number;
			readonly from?: number | undefined;
	  }
	/** A comment on the selected lines. */
	| ({
			readonly kind: 'comment';
			readonly resource: string;
			readonly at: number;
			readonly from?: number | undefined;
	  } & KeptText)
	/** Words to find on the screen, or to filter a list by. */
	| {readonly kind: 'search'; readonly does: 'find' | 'filter'; readonly draft: Draft}
	/**
	Words to find a place, an action or a field's value, with one of the matching entries selected.

	`chosen`: id of the selected entry; otherwise the first one is selected.
	*/
	| {
			readonly kind: 'palette';
			readonly of: PaletteContent;
			readonly draft: Draft;
			readonly chosen?: string | undefined;
	  }
	| {readonly kind: 'field'; readonly draft: Draft}
	| {readonly kind: 'path'; readonly wants: 'save' | 'open'; readonly draft: Draft}
	| {readonly kind: 'waiting'; readonly for?: PlanEffect['do']}
	/** A wait for a planner's plan. */
	| {readonly kind: 'proposing'; readonly progress: Progress | undefined}
	/** A confirmation; `apart` if the key that led here is no yes, since it may be held down. */
	| {
			readonly kind: 'confirm';
			readonly question: string;
			readonly effect: KeyEffect | FormChange;
			readonly apart?: true;
	  };

const writing = ['note', 'answer', 'message', 'profile', 'comment', 'path'] as const;

/** A text that the person writes to send it. */
export type Written = Extract<Dialog, {readonly kind: (typeof writing)[number]}>;

export const isWriting = (dialog: Dialog): dialog is Written =>
	writing.some(kind => kind === dialog.kind);

/** Effect of a key outside the screen. */
export type KeyEffect =
	| {
			readonly do: 'ask';
			readonly request: Asked;
			/** Item that it decides, if any. */
			readonly item?: string;
			/** The person's text in it, which is kept until it is granted. */
			readonly draft?: Draft;
			/** Request to be sent before it, whose result it depends on. */
			readonly first?: ByHandRequest;
			/** Place meanwhile, if not the next waiting item: the current one, or the hunks of this conflict. */
			readonly leadsTo?: 'here' | 'hunks';
			/** Notice after it is granted. */
			readonly done: string;
	  }
	| {readonly do: 'offer-undo'; readonly turn: UndoOrRedo}
	/** Asks for the description of pushing the newest merge, with a pull request if wanted, to be confirmed by the person. */
	| {readonly do: 'offer-push'; readonly request?: true}
	/** Pushes with the person's own git, which gets the terminal meanwhile. */
	| {readonly do: 'push'; readonly offer: PushOffer}
	/** Opens a file in the person's editor, which gets the terminal meanwhile; `first` is applied to the file before. */
	| {
			readonly do: 'edit';
			readonly file: string;
			/** Whole versions for the person's merge tool, in place of their editor. */
			readonly versions?: Versions;
			readonly first?: ByHandRequest;
	  }
	/** Opens the worktree of an agent in a program that gets the terminal meanwhile. */
	| {
			readonly do: 'visit';
			readonly agent: string;
			readonly how: Visit;
			readonly at?: FileLine;
	  }
	/** Opens a commit's version of a file at a line in the person's editor; an image, without a line, in an image viewer. */
	| {readonly do: 'open-copy'; readonly commit: string; readonly at: FilePlace}
	/** Stores a person's steps on hunks; `again` if these change the list of hunks. */
	| {readonly do: 'keep'; readonly request: ByHandRequest; readonly again: boolean}
	| {readonly do: 'play'; readonly step: number | 'toggle'}
	/** Gathers the initial content of a plan's form. */
	| {readonly do: 'compose'; readonly compose: Compose}
	| PlanEffect
	/** Shows an ended session, or asks which parts of it to remove, in a program that gets the terminal meanwhile. */
	| {readonly do: 'show-session'; readonly session: PastSession; readonly how: SessionView}
	/** Copies a text to the person's clipboard, through the terminal. */
	| {readonly do: 'copy'; readonly text: string}
	/** Stops the program until the person's shell continues it. */
	| {readonly do: 'suspend'}
	/** Draws the whole screen again. */
	| {readonly do: 'redraw'}
	| {readonly do: 'leave'};

/** Effect of a key outside the form of a plan. */
export type PlanEffect =
	| {
			readonly do: 'save-plan';
			readonly path: string;
			readonly text: string;
			/** Content that may be overwritten: the file as last seen, or anything. */
			readonly over: KnownFile | 'anything' | undefined;
	  }
	| {readonly do: 'open-plan'; readonly path: string}
	| {readonly do: 'hand-in'; readonly text: string; readonly file: string}
	/** Has an agent of the config list its conversations. */
	| {readonly do: 'list-conversations'; readonly profile: string}
	/** Starts a planner on a task. */
	| {readonly do: 'propose'; readonly task: string}
	| {readonly do: 'stop-proposing'};

/** A change inside the form of a plan that is confirmed first. */
export type FormChange =
	| {readonly do: 'remove-subtask'; readonly agent: number}
	| {readonly do: 'leave-form'};

/** Way to visit an agent: in a shell or the person's editor, or in the agent's own program, which resumes its conversation. */
export type Visit = 'shell' | 'editor' | 'attach';

export type FileLine = {readonly path: string; readonly line: number};

export type FilePlace = {readonly path: string; readonly line?: number};

/** Paths of whole versions of a file; the path of a missing version has no file. */
export type Versions = {readonly base: string; readonly ours: string; readonly theirs: string};

/** Purpose of the form: a plan that replaces the waiting one, or the subtask of another agent, with optional initial words. */
export type Compose =
	| {readonly what: 'plan'; readonly item: string}
	| {readonly what: 'subtask'; readonly words: string}
	/** Subtask that a choice of an item would add, before a person edits it. */
	| {readonly what: 'handed on'; readonly item: string; readonly choice: string}
	/** Plan of an ended session, to be started again. */
	| {readonly what: 'again'; readonly session: PastSession};

/** Request to store steps of a resolution by hand. */
export type ByHandRequest = {
	readonly do: 'by-hand';
	readonly item: string;
	/** Number of steps that the person had seen before these. */
	readonly after: number;
	readonly steps: readonly Step[];
};

/** One sentence for the person, shown until their next key. */
export type ScreenNotice = {readonly tone: 'good' | 'bad' | 'warn' | 'info'; readonly text: string};

/** All of an agent's work; the part since its last checkpoint, or since the person last looked at it; or its reverted changes outside its scope. */
export type WorkPart = 'all' | 'new' | 'unlooked' | 'reverted';

/** Snapshot of an agent's work that the person looks at or looked at last, and the one before. */
export type LookedSnapshots = {readonly now: number; readonly before?: number};

/** A line of a diff, by its number in the new file, that stays at a distance from the top in any layout of the diff. */
export type ScrolledLine = {
	readonly path: string;
	readonly number: number;
	readonly below: number;
};

/** Place and state of the screen; changed only by `update`. */
export type View = {
	readonly size: Size;
	readonly place: Place;
	readonly agent: string | undefined;
	/** True if its pane fills the board. */
	readonly isZoomed: boolean;
	/** Selected item in the inbox. */
	readonly row: string | undefined;
	/** Number of rows scrolled down, or the line that stays in place; in growing text, 0 follows the end, and 1 is the top. */
	readonly scroll: number | ScrolledLine;
	readonly dialog: Dialog;
	/** Words of the last search, and the row of the current match; without a row the search is over. */
	readonly find: {readonly words: string; readonly row?: number};
	/** Words that filter a list, by its place. */
	readonly filters: Readonly<Partial<Record<Place['at'], string>>>;
	readonly part: WorkPart;
	/** Names of the only file whose diff is shown, including the former name if it was renamed. */
	readonly file?: readonly string[] | undefined;
	/** Number of context lines; git's default of three until the person changes it. */
	readonly context?: number | undefined;
	/** True if lines of a diff are numbered; by default if there is room. */
	readonly numbers?: boolean;
	/** True if a diff is shown side by side, if there is room. */
	readonly sides: boolean;
	/** Snapshots at which the person has looked, by agent id. */
	readonly lookedAt: Readonly<Record<string, LookedSnapshots>>;
	/** Drafts by item or agent, so that closing a field loses nothing. */
	readonly drafts: Readonly<Record<string, Draft>>;
	/** Answers that are not sent yet, by item: those of a form are sent together. */
	readonly answers: Readonly<Record<string, string>>;
	readonly notice: ScreenNotice | undefined;
	/** Steps on hunks since these were last read, by conflict. */
	readonly steps: Readonly<
		Record<string, {readonly look: number; readonly steps: readonly Step[]}>
	>;
	/** Picked parts of a work, by the resource that shows it. */
	readonly picks: Readonly<Record<string, readonly number[]>>;
	/** Rows of each diff that have been on the screen, by resource. */
	readonly seen: Readonly<Record<string, SeenRows>>;
	/** Added lines that have been on the screen in full, or in a file that was marked as seen, by path; see \`lineNames\`. */
	readonly read: ReadLines;
	/** File that was marked as seen last, and its lines that were seen before. */
	readonly marked?: {readonly path: string; readonly before: ReadonlySet<string>} | undefined;
	/** Time of the last key in an uninterrupted series that began with a decision or an unexpected question, in milliseconds. */
	readonly burst?: number | undefined;
	/** Number of looks at resources that may change without an event, so that each look is a new one. */
	readonly looks: number;
};

/** Returns whether a second yes is asked for in place of the item, on a screen too low for both. */
export const isAskedAlone = (
	view: View,
): view is View & {readonly dialog: Extract<Dialog, {readonly kind: 'confirm'}>} =>
	view.dialog.kind === 'confirm' && isShort(view.size);

/** Returns the question whether to leave the screen or a form, if it is asked. */
export const leavingAsked = ({dialog}: View): Extract<Dialog, {kind: 'confirm'}> | undefined =>
	dialog.kind === 'confirm' && (dialog.effect.do === 'leave' || dialog.effect.do === 'leave-form')
		? dialog
		: undefined;

/** The person's record of seen work, which is stored for the next start of the screen. */
export type SeenWork = Pick<View, 'lookedAt' | 'read'>;

/** Returns a line about the next step, from the state and the place; for first-time users. */
export type Hint = (state: State, view: View) => string;

/** An ended session of this repository, and its result. */
export type PastSession = {readonly id: string; readonly about: string; readonly folder: string};

export type SessionView = 'replay' | 'report' | 'clean';

export type PastSessions = {
	readonly list: () => Promise<readonly PastSession[]>;
	/** Shows one; needs the terminal until it resolves, with a sentence about the outcome. */
	readonly show: (session: PastSession, how: SessionView) => Promise<string>;
};

/** Input of `update` and the functions that it calls. */
export type Context = {
	readonly model: Model;
	readonly view: View;
	/** All actions, with the person's own keys. */
	readonly table: readonly Action[];
	readonly hint?: Hint;
	/** Syntax highlighter; absent before it is loaded, or without colours. */
	readonly highlight?: Highlight;
	/** True if the terminal has answered that it shows images. */
	readonly images?: boolean;
	/** Returns the URL of an agent's worktree, for terminals with hyperlinks. */
	readonly addressOf?: (agent: string) => string;
	/** Ended sessions; absent before they are requested. */
	readonly sessions?: readonly PastSession[];
};

/** Outcome of a key: the next view, with effects if it has any. */
export type Outcome = View | ViewWithEffects;

export type ViewWithEffects = {readonly view: View; readonly effects: readonly KeyEffect[]};

export const withEffects = (outcome: Outcome): ViewWithEffects =>
	'effects' in outcome ? outcome : {view: outcome, effects: []};

export const startView = (size: Size): View => ({
	size,
	place: {at: 'board'},
	agent: undefined,
	isZoomed: false,
	row: undefined,
	scroll: 0,
	dialog: {kind: 'none'},
	find: {words: ''},
	filters: {},
	drafts: {},
	answers: {},
	notice: undefined,
	looks: 0,
	part: 'all',
	sides: false,
	lookedAt: {},
	steps: {},
	picks: {},
	seen: {},
	read: new Map(),
});

/** Adds a notice for the person. */
export const withNotice = (view: View, tone: ScreenNotice['tone'], text: string): View => ({
	...view,
	notice: {tone, text},
});

/** Opens the palette, without words. */
export const inPalette = (view: View, of: PaletteContent): View => ({
	...view,
	dialog: {kind: 'palette', of, draft: emptyDraft},
});

/** Waits for the initial content of a plan's form. */
export const composing = (view: View, compose: Compose): Outcome => ({
	view: {...view, dialog: {kind: 'waiting'}},
	effects: [{do: 'compose', compose}],
});

/** Asks for a confirmation. */
export const confirming = (
	view: View,
	question: string,
	effect: KeyEffect | FormChange,
): Outcome => ({...view, dialog: {kind: 'confirm', question, effect}});

/** Changes the shown part of the open item. */
export const showing = (view: View, part: Partial<Pick<ItemPlace, 'shows' | 'cursor'>>): View =>
	view.place.at === 'item' ? {...view, place: {...view.place, ...part}, scroll: 0} : view;

export const openPlace = (view: View, place: Place): View => ({
	...view,
	place,
	scroll: 0,
	dialog: {kind: 'none'},
	find: {words: view.find.words},
	file: undefined,
});

/** Rows from the first up to, and without, the last. */
export type Range = readonly [from: number, to: number];

/** Rows of a diff that have been on the screen in one layout; in another layout all rows are unseen. */
export type SeenRows = {readonly layout: string; readonly ranges: readonly Range[]};

export type ReadLines = ReadonlyMap<string, ReadonlySet<string>>;

/** Adds rows that have been on the screen. */
export const withRows = (
	seen: SeenRows | undefined,
	layout: string,
	[from, to]: Range,
): SeenRows => {
	const known = seen?.layout === layout ? seen : {layout, ranges: []};
	if (to <= from || isSeen(known, [from, to])) {
		return known;
	}

	const apart = known.ranges.filter(([start, end]) => end < from || start > to);
	const touched = known.ranges.filter(range => !apart.includes(range));
	const joined: Range = [
		Math.min(from, ...touched.map(([start]) => start)),
		Math.max(to, ...touched.map(([, end]) => end)),
	];
	return {layout, ranges: [...apart, joined]};
};

/** Returns whether all of these rows have been on the screen. */
export const isSeen = ({ranges}: SeenRows, [from, to]: Range): boolean =>
	ranges.some(([start, end]) => start <= from && to <= end);

/** Returns the drafts with the current text, which stays until it is sent. */
export const keptDrafts = ({dialog, drafts}: View): View['drafts'] =>
	'keptAs' in dialog ? {...drafts, [dialog.keptAs]: dialog.draft} : drafts;

/** Returns the text of a field that is opened: what was kept of it, or otherwise its first text. */
export const keptText = ({drafts}: View, keptAs: string, first: Draft = emptyDraft): KeptText => ({
	keptAs,
	draft: drafts[keptAs] ?? first,
});

/** Names of the places of actions, for people. */
export const whereTitles = {
	everywhere: 'Everywhere',
	board: 'On the board',
	agent: 'At an agent',
	inbox: 'In the inbox',
	item: 'At something that waits for you',
	questions: 'At several questions of one agent',
	answers: 'In the earlier answers',
	hunks: 'At the hunks of a conflict, or of a work',
	log: 'In the log',
	check: 'At the output of the check',
	matrix: 'In the matrix of collisions',
	findings: 'At the findings of two sides',
	help: 'In the list of keys',
	lines: 'Along the lines of a diff',
	writing: 'While you write',
	searching: 'While you write search words',
	palette: 'In the palette',
	confirming: 'When you are asked to confirm',
	plan: 'In the form of a plan',
	field: 'In a field of a plan',
	path: 'At the name of a plan file',
	proposing: 'While a planner is at work',
	waiting: 'While something is being done',
	recording: 'In a recording',
} as const;

/** Place of an action. In a window that is too small only leaving works: keys must not act on unseen content. */
export type Where = keyof typeof whereTitles | 'too small';

/** An action of a key at a place; source of bindings, footer, help and documentation. */
export type Action = {
	/** Name for the config's keys. */
	readonly name: string;
	readonly keys: readonly string[];
	/** One or two words for the footer; an action without them is only in the help. */
	readonly label?: string;
	/** Description, as a sentence without its full stop. */
	readonly help: string;
	readonly where: readonly Where[];
	/** Returns whether it makes sense here and now; by default it does. */
	readonly when?: (context: Context) => boolean;
	/** Returns the reason why it is unavailable here and now, in words. */
	readonly whyNot?: (context: Context) => string | undefined;
	readonly run: (context: Context) => Outcome;
};
