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
import type {Size} from '../terminal/full-screen.ts';
import {type Draft, emptyDraft, profileDraft} from './draft.ts';

/** A place of the screen. */
export type Place =
	| {readonly at: 'board'}
	/** `back`: where a person came from who looks into an agent in the middle of something else. */
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
	/** `scroll`: how far was scrolled there, for who comes back. */
	| {readonly at: 'help'; readonly back: Place; readonly scroll: View['scroll']};

/** The matrix of collisions; without a cell, none is selected yet. */
export type MatrixPlace = {
	readonly at: 'matrix';
	/** An agent's id, and another's or `target`. */
	readonly cell: readonly [string, string] | undefined;
};

/** An item that a person looks at, as it was when they began to. */
export type ItemPlace = {
	readonly at: 'item';
	readonly item: string;
	/** The item's content when it was opened; see `bindingOf`. */
	readonly binding: string;
	readonly from: 'board' | 'inbox';
	/** The choice that Enter takes; none, until the person has gone to one. */
	readonly cursor: number | undefined;
	/** Options marked so far, of a question that takes several. */
	readonly marked: readonly string[];
	/** Whether the answer is for all agents that ask the same. */
	readonly together: boolean;
	/** For a conflict: its facts, or the outcome of a choice. */
	readonly shows: 'facts' | 'outcome';
};

/** Several questions of one agent, which are one form. */
export type QuestionsPlace = {
	readonly at: 'questions';
	readonly agent: string;
	/** Number of the event that asked them. */
	readonly group: number;
	/** Each question's content when the form was opened, by id; see `bindingOf`. */
	readonly bindings: Readonly<Record<string, string>>;
	/** The question that the person is at; none when they are at the end, where all answers are given. */
	readonly item: string | undefined;
	/** The option of it that Enter takes; none, until the person has gone to one. */
	readonly cursor: number | undefined;
	/** Options of it that are marked, if it takes several. */
	readonly marked: readonly string[];
	/** Whether each answer is for all agents that ask the same. */
	readonly together: boolean;
	readonly from: ItemPlace['from'];
};

/** The hunks of a conflict that a person resolves by hand, or those of an agent's work, of which they take some. */
export type HunksPlace = {
	readonly at: 'hunks';
	readonly of: 'conflict' | 'work';
	/** The conflict, or the item that asks what becomes of the work. */
	readonly item: string;
	/** The rival whose work they pick from; its parts come into the work that the item is about. */
	readonly rival?: string;
	/** The hunk they are at, counted from 0 over all files; until they have gone to one, the first that is unresolved. */
	readonly hunk: number | undefined;
	/** Whether the base is shown where there is no room for it beside the sides. */
	readonly withBase: boolean;
	readonly from: ItemPlace['from'];
};

/** The form of a plan. */
export type PlanPlace = {
	readonly at: 'plan';
	readonly desk: Desk;
	readonly composition: Composition;
	/** The plan as it was judged last; that waits for a pause while somebody writes. */
	readonly judged: Composition;
	/** The form as it was last saved, opened or begun. */
	readonly kept: PlanForm;
	readonly file: KnownFile | undefined;
	/** The field that the person is at, by its place among all. */
	readonly cursor: number;
	/** What the agent of a subtask listed last of its conversations. */
	readonly listed?: readonly ListedConversation[];
	/** Kinds of fields that the person was asked for before the plan is handed in; each is asked for once. */
	readonly asked: readonly string[];
	/** Where the person came from; who plans a session leaves the screen with the form. */
	readonly back: Place;
};

/** What a palette leads to, or what of it is taken into a field of a plan. */
export type PaletteContent = 'all' | 'files' | 'conversations';

/** A modal state, which gets all keys. */
export type Dialog =
	| {readonly kind: 'none'}
	/** Writes a note to go with a choice. */
	| {readonly kind: 'note'; readonly choice: string; readonly draft: Draft}
	/** Writes the answer to a question. */
	| {readonly kind: 'answer'; readonly draft: Draft}
	/** Writes to an agent; with `now` its turn is cut short for it. */
	| {
			readonly kind: 'message';
			readonly agent: string;
			readonly now: boolean;
			readonly draft: Draft;
	  }
	/** Names the profile as which an agent is to start over; `item` tells of its failure, if it has failed. */
	| {
			readonly kind: 'profile';
			readonly agent: string;
			readonly item?: string;
			readonly draft: Draft;
	  }
	/** Goes along the lines of a diff: is at one, by its place among all, and may have chosen those from another one on. */
	| {
			readonly kind: 'lines';
			readonly resource: string;
			readonly at: number;
			readonly from?: number | undefined;
	  }
	/** Writes a comment on the lines that were chosen. */
	| {
			readonly kind: 'comment';
			readonly resource: string;
			readonly at: number;
			readonly from?: number | undefined;
			readonly draft: Draft;
	  }
	/** Writes words to go to in what is on the screen, or those that alone are to be shown of a list. */
	| {readonly kind: 'search'; readonly does: 'find' | 'filter'; readonly draft: Draft}
	/**
	Writes words of what to go to or to do, or of what a field of a plan is to hold, and is at one of those that fit.

	`chosen`: the id of the entry that was gone to; without it the first one is meant, whichever that is.
	*/
	| {
			readonly kind: 'palette';
			readonly of: PaletteContent;
			readonly draft: Draft;
			readonly chosen?: string | undefined;
	  }
	/** Writes in a field of a plan. */
	| {readonly kind: 'field'; readonly draft: Draft}
	/** Writes the path of a plan file to save to or to open. */
	| {readonly kind: 'path'; readonly wants: 'save' | 'open'; readonly draft: Draft}
	/** Waits until something outside is done. */
	| {readonly kind: 'waiting'; readonly for?: PlanEffect['do']}
	/** Waits for a planner's plan. */
	| {readonly kind: 'proposing'; readonly progress: Progress | undefined}
	/** Is asked whether they mean it; `apart` when the key that led here is no yes, since it may be held down. */
	| {
			readonly kind: 'confirm';
			readonly question: string;
			readonly effect: KeyEffect | FormChange;
			readonly apart?: true;
	  };

/** Effect of a key outside the screen. */
export type KeyEffect =
	| {
			readonly do: 'ask';
			readonly request: Asked;
			/** The item that it decides, if it does. */
			readonly item?: string;
			/** What is told before it, so that it is judged by that. */
			readonly first?: ByHandRequest;
			/** Where the person is meanwhile, if not at what waits next: still here, or at the hunks of this conflict. */
			readonly leadsTo?: 'here' | 'hunks';
			/** Message once it is granted. */
			readonly done: string;
	  }
	/** Asks what taking a merge back, or bringing one back, would come to; then the person is asked whether they mean it. */
	| {readonly do: 'offer-undo'; readonly turn: UndoOrRedo}
	/** Asks what pushing the newest merge would do, and opening a pull request, where that is wanted; then the person is asked whether they mean it. */
	| {readonly do: 'offer-push'; readonly request?: true}
	/** Pushes by the person's own git, which has the terminal meanwhile. */
	| {readonly do: 'push'; readonly offer: PushOffer}
	/** Opens a file in the person's editor, which has the terminal meanwhile; what is told before it is in the file then. */
	| {
			readonly do: 'edit';
			readonly file: string;
			/** The whole versions from which the person's merge tool makes it, in place of their editor. */
			readonly versions?: Versions;
			readonly first?: ByHandRequest;
	  }
	/** Lets the person into the worktree of an agent, by a program that has the terminal meanwhile. */
	| {
			readonly do: 'visit';
			readonly agent: string;
			readonly how: Visit;
			readonly at?: FileLine;
	  }
	/** Opens a copy of a file, as a commit holds it, at a line in the person's editor; an image at no line in a program that shows images. */
	| {readonly do: 'open-copy'; readonly commit: string; readonly at: FilePlace}
	/** Keeps what a person did to hunks; `again` when that changes what hunks there are. */
	| {readonly do: 'keep'; readonly request: ByHandRequest; readonly again: boolean}
	| {readonly do: 'play'; readonly step: number | 'toggle'}
	/** Gathers what the form of a plan begins with. */
	| {readonly do: 'compose'; readonly compose: Compose}
	| PlanEffect
	/** Shows a session that has ended, or asks what of it is to be removed, by a program that has the terminal meanwhile. */
	| {readonly do: 'show-session'; readonly session: PastSession; readonly how: SessionView}
	/** Hands the terminal a text for the person's clipboard. */
	| {readonly do: 'copy'; readonly text: string}
	/** Stops the program until the person's shell lets it go on. */
	| {readonly do: 'suspend'}
	| {readonly do: 'leave'};

/** Effect of a key outside the form of a plan. */
export type PlanEffect =
	| {
			readonly do: 'save-plan';
			readonly path: string;
			readonly text: string;
			/** What may be overwritten: the file as last seen, or anything. */
			readonly over: KnownFile | 'anything' | undefined;
	  }
	| {readonly do: 'open-plan'; readonly path: string}
	| {readonly do: 'hand-in'; readonly text: string; readonly file: string}
	/** Has an agent of the config list its conversations. */
	| {readonly do: 'list-conversations'; readonly profile: string}
	/** Lets a planner propose a plan for a task. */
	| {readonly do: 'propose'; readonly task: string}
	| {readonly do: 'stop-proposing'};

/** A change inside the form of a plan that is confirmed first. */
export type FormChange =
	| {readonly do: 'remove-subtask'; readonly agent: number}
	| {readonly do: 'leave-form'};

/** How a person visits an agent: by a shell or an editor of theirs, or in the agent's own program, which goes on with its conversation. */
export type Visit = 'shell' | 'editor' | 'attach';

/** A line of a file in a worktree. */
export type FileLine = {readonly path: string; readonly line: number};

/** A file, or a line of it. */
export type FilePlace = {readonly path: string; readonly line?: number};

/** Whole versions of a file, by their paths; one that is not there was added or deleted. */
export type Versions = {readonly base: string; readonly ours: string; readonly theirs: string};

/** Purpose of the form: a plan that replaces the waiting one, or the subtask of one more agent, perhaps with words to begin with. */
export type Compose =
	| {readonly what: 'plan'; readonly item: string}
	| {readonly what: 'subtask'; readonly words: string}
	/** The part of the agent that a choice about an item would add, as it stands without a person's word. */
	| {readonly what: 'handed on'; readonly item: string; readonly choice: string}
	/** The plan of a session that has ended, to be started once more. */
	| {readonly what: 'again'; readonly session: PastSession};

/** Asks the supervisor to keep steps of a resolution by hand. */
export type ByHandRequest = {
	readonly do: 'by-hand';
	readonly item: string;
	/** How many steps the person had seen before these. */
	readonly after: number;
	readonly steps: readonly Step[];
};

/** One sentence for the person, shown until their next key. */
export type ScreenNotice = {readonly tone: 'good' | 'bad' | 'warn' | 'info'; readonly text: string};

/** All of an agent's work; what of it is new since its last checkpoint, or since the person last looked at it; or what it changed outside its scope and was reverted. */
export type WorkPart = 'all' | 'new' | 'unlooked' | 'reverted';

/** The snapshot of an agent's work that the person looks at or looked at last, and the one that they looked at before. */
export type LookedSnapshots = {readonly now: number; readonly before?: number};

/** A line of a diff, by its number in the new file, that stays so many rows below the top however the diff is laid out. */
export type ScrolledLine = {
	readonly path: string;
	readonly number: number;
	readonly below: number;
};

/** Where the person is and what they are doing there; changed by `update` and nothing else. */
export type View = {
	readonly size: Size;
	readonly place: Place;
	/** The agent they are at on the board. */
	readonly agent: string | undefined;
	/** Whether its pane has the whole board. */
	readonly isZoomed: boolean;
	/** The item they are at in the inbox. */
	readonly row: string | undefined;
	/** Rows scrolled down, or the line that stays where it is; in what grows, 0 follows its end, and 1 is the top. */
	readonly scroll: number | ScrolledLine;
	readonly dialog: Dialog;
	/** The words looked for last, and the row that holds them where the person is; without a row they look no more. */
	readonly find: {readonly words: string; readonly row?: number};
	/** The words that alone are shown of a list, by its place. */
	readonly filters: Readonly<Partial<Record<Place['at'], string>>>;
	/** The shown part of an agent's work. */
	readonly part: WorkPart;
	/** The file whose diff alone is shown where the person is, by its name, and the one before that if it was renamed. */
	readonly file?: readonly string[] | undefined;
	/** How many lines are shown around each change; git's three until the person wants others. */
	readonly context?: number | undefined;
	/** Whether lines of a diff are numbered; until the person says so, where there is room for it. */
	readonly numbers?: boolean;
	/** Whether what was stands beside what is in a diff, where there is room for it. */
	readonly sides: boolean;
	/** How far they have looked at each agent's work, by its id. */
	readonly lookedAt: Readonly<Record<string, LookedSnapshots>>;
	/** Drafts by item, so that leaving loses nothing. */
	readonly drafts: Readonly<Record<string, Draft>>;
	/** Answers that are not given yet, by item: those of a form are given together. */
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
	/** Added lines that have been on the screen as a whole, or in a file that was marked as seen, by its path; see \`lineNames\`. */
	readonly read: ReadLines;
	/** The file that was marked as seen last, and which of its lines had been before. */
	readonly marked?: {readonly path: string; readonly before: ReadonlySet<string>} | undefined;
	/** When the last key came of those that began with a decision, or with a question that came by itself, and go on without a pause, in milliseconds. */
	readonly burst?: number | undefined;
	/** How often something was looked at that may change without an event, so that each look is a new one. */
	readonly looks: number;
};

/** What the person has seen of agents' work, which is kept for the next time that they open the screen. */
export type SeenWork = Pick<View, 'lookedAt' | 'read'>;

/** Says in one line what to try next, from how things stand and where the person is; for those who see the screen for the first time. */
export type Hint = (state: State, view: View) => string;

/** A session of this repository that has ended, and what became of what. */
export type PastSession = {readonly id: string; readonly about: string; readonly folder: string};

export type SessionView = 'replay' | 'report' | 'clean';

export type PastSessions = {
	readonly list: () => Promise<readonly PastSession[]>;
	/** Shows one; needs the terminal until it settles, with a sentence on what came of it. */
	readonly show: (session: PastSession, how: SessionView) => Promise<string>;
};

/** Input of `update` and the functions that it calls. */
export type Context = {
	readonly model: Model;
	readonly view: View;
	/** All that keys can do, with the person's own keys. */
	readonly table: readonly Action[];
	readonly hint?: Hint;
	/** Colours source code; none before it is loaded, or without colours. */
	readonly highlight?: Highlight;
	/** Whether the terminal has said that it shows images. */
	readonly images?: boolean;
	/** Returns the address of an agent's worktree, for terminals that show hyperlinks. */
	readonly addressOf?: (agent: string) => string;
	/** The sessions that have ended; none before they were asked for. */
	readonly sessions?: readonly PastSession[];
};

/** Outcome of a key. */
export type Outcome = {readonly view: View; readonly effects: readonly KeyEffect[]};

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

/** Returns an outcome without effects. */
export const only = (view: View): Outcome => ({view, effects: []});

/** Returns the view with one sentence for the person. */
export const withNotice = (view: View, tone: ScreenNotice['tone'], text: string): View => ({
	...view,
	notice: {tone, text},
});

/** Opens the palette, with nothing written in it. */
export const inPalette = (view: View, of: PaletteContent): View => ({
	...view,
	dialog: {kind: 'palette', of, draft: emptyDraft},
});

/** Waits for the form of a plan with all that it begins with. */
export const composing = (view: View, compose: Compose): Outcome => ({
	view: {...view, dialog: {kind: 'waiting'}},
	effects: [{do: 'compose', compose}],
});

/** Asks whether the person means it. */
export const confirming = (view: View, question: string, effect: KeyEffect | FormChange): Outcome =>
	only({...view, dialog: {kind: 'confirm', question, effect}});

/** Returns the view with something else shown of the open item. */
export const showing = (view: View, part: Partial<Pick<ItemPlace, 'shows' | 'cursor'>>): View =>
	view.place.at === 'item' ? {...view, place: {...view.place, ...part}, scroll: 0} : view;

/** Returns the view somewhere else, at the top of it. */
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

/** Returns what has been seen once these rows have been on the screen as well. */
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

/** Returns the drafts with what is being written, which stays until it has been taken. */
export const keptDrafts = ({place, dialog, drafts}: View): View['drafts'] => {
	if (dialog.kind === 'message') {
		return {...drafts, [dialog.agent]: dialog.draft};
	}

	if (dialog.kind === 'profile') {
		return {...drafts, [profileDraft(dialog.agent)]: dialog.draft};
	}

	if (dialog.kind === 'comment') {
		return {...drafts, [dialog.resource]: dialog.draft};
	}

	const item = place.at === 'item' || place.at === 'questions' ? place.item : undefined;
	return item !== undefined && (dialog.kind === 'note' || dialog.kind === 'answer')
		? {...drafts, [item]: dialog.draft}
		: drafts;
};

/** Where actions work, as people are told. */
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

/** Where an action works. Where nothing can be shown, only leaving does: keys are not for what nobody sees. */
export type Where = keyof typeof whereTitles | 'too small';

/** An action of a key at a place; source of bindings, footer, help and documentation. */
export type Action = {
	/** By which the config gives it another key. */
	readonly name: string;
	readonly keys: readonly string[];
	/** One or two words for the footer; an action without them is in the help only. */
	readonly label?: string;
	/** Description, as a sentence without its full stop. */
	readonly help: string;
	readonly where: readonly Where[];
	/** Whether there is any sense in it here and now; without it, there always is. */
	readonly when?: (context: Context) => boolean;
	/** Why it can't be done now, in words, though it belongs here. */
	readonly whyNot?: (context: Context) => string | undefined;
	readonly run: (context: Context) => Outcome;
};
