import type {Model} from '../../client/model.ts';
import {checkTail} from '../../client/tails.ts';
import type {SurfaceChange} from '../../events/finding.ts';
import {elapsedMs, runningText} from '../../lib/text/duration.ts';
import {lastResult} from '../../state/merge/publication.ts';
import {type Span, span} from '../rows/row.ts';

/** Progress or result of the merged result's check. */
export type ShownCheck =
	| {readonly phase: 'running'; readonly command: string; readonly forMs: number}
	| {readonly phase: 'passed' | 'failed'};

/** Returns the merge's current check; nothing if there is none, or it has printed nothing. */
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

/** Returns the running command: the log names each one before its output. Once that line is gone, all commands are returned. */
const commandAt = ({state, tails}: Model): string => {
	const {setup = [], verify = []} = state.session?.plan ?? {};
	const last = (tails[checkTail] ?? []).findLast(line => isCommand(line, [...setup, ...verify]));
	return last?.slice(prompt.length) ?? verify.join(' && ');
};

/** Prefix of a command's line in the log. */
const prompt = '$ ';

const isCommand = (line: string, commands: readonly string[]): boolean =>
	line.startsWith(prompt) && commands.includes(line.slice(prompt.length));

/** Returns the state of a check as a sign and words. */
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

/** Words beside files in all lists, by path. */
export type Marks = ReadonlyMap<string, string>;

/** Returns the words beside files of the surface. */
export const surfaceMarks = (surface: readonly SurfaceChange[] = []): Marks =>
	withMarks(
		new Map(),
		// The diff's text has replaced bytes that are not UTF-8.
		surface.map(({path, as}) => [path.toWellFormed(), words[as]]),
	);

/** Adds words beside files, after those that are there. */
export const withMarks = (
	marks: Marks,
	added: readonly (readonly [path: string, words: string])[],
): Marks => {
	const all = new Map(marks);
	for (const [path, words] of added) {
		const known = all.get(path);
		all.set(path, known === undefined ? words : `${known}, ${words}`);
	}

	return all;
};

const words: Readonly<Record<SurfaceChange['as'], string>> = {
	runs: 'runs by itself',
	link: 'link',
	submodule: 'submodule',
};
