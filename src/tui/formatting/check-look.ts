import type {Model} from '../../client/model.ts';
import {checkTail} from '../../client/tails.ts';
import type {SurfaceChange} from '../../events/finding.ts';
import {elapsedMs, runningText} from '../../lib/text/duration.ts';
import {lastResult} from '../../state/merge/publication.ts';
import {type Span, span} from '../rows/row.ts';

/** How the check of the merged result stands: what it is at while it runs, then how it ended. */
export type ShownCheck =
	| {readonly phase: 'running'; readonly command: string; readonly forMs: number}
	| {readonly phase: 'passed' | 'failed'};

/** Returns the check that the merge is at; nothing where there is none, or nothing that it printed. */
export const checkOf = (model: Model): ShownCheck | undefined => {
	const {merge, session} = model.state;
	if (session === null || session.ended !== undefined) {
		return undefined;
	}

	if (merge.phase === 'built') {
		return session.plan.verify.length === 0
			? undefined
			: {phase: 'running', command: commandAt(model), forMs: elapsedMs(merge.due.at, model.now)};
	}

	const result = lastResult(model.state);
	return result !== undefined && 'verified' in result && result.verified.log !== null
		? {phase: result.verified.ok ? 'passed' : 'failed'}
		: undefined;
};

/** The log names each command before what it prints; when that line is far behind, all of them are told. */
const commandAt = ({state, tails}: Model): string => {
	const {setup = [], verify = []} = state.session?.plan ?? {};
	const last = (tails[checkTail] ?? []).findLast(line => isCommand(line, [...setup, ...verify]));
	return last?.slice(prompt.length) ?? verify.join(' && ');
};

/** How the log begins the line that names a command. */
const prompt = '$ ';

const isCommand = (line: string, commands: readonly string[]): boolean =>
	line.startsWith(prompt) && commands.includes(line.slice(prompt.length));

/** Returns how a check stands as a sign and words. */
export const checkSpan = (check: ShownCheck): Span => {
	switch (check.phase) {
		case 'running':
			return span(`● RUNNING ${runningText(check.forMs)}`, 'info');
		case 'passed':
			return span('✓ PASSED', 'good');
		case 'failed':
			return span('✗ FAILED', 'bad');
	}
};

/** Words that stand beside files wherever they are listed, by path. */
export type Marks = ReadonlyMap<string, string>;

/** Returns what to say beside the files of the surface. */
export const surfaceMarks = (surface: readonly SurfaceChange[] | undefined): Marks => {
	const marks = new Map<string, string>();
	for (const {path, as} of surface ?? []) {
		// The reader of a diff knows no bytes that are not UTF-8.
		const name = path.toWellFormed();
		const known = marks.get(name);
		marks.set(name, known === undefined ? words[as] : `${known}, ${words[as]}`);
	}

	return marks;
};

const words: Readonly<Record<SurfaceChange['as'], string>> = {
	runs: 'runs by itself',
	link: 'link',
	submodule: 'submodule',
};
