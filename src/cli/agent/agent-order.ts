import {type AgentOrder, switchIn} from '../../events/agent-order.ts';
import type {NamedProgram} from '../../events/plan.ts';
import {Failure} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import {didYouMean} from '../../rules/plan/finding.ts';
import {findProfile, type NoProfile, programOf} from '../../rules/plan/profile.ts';
import {readChoice} from '../../state/items.ts';
import {itemOf} from '../../state/select.ts';
import type {Here, LastSession} from '../here.ts';
import {printAs} from '../output.ts';
import {requireConfig} from '../require-config.ts';
import {carriedOut} from './carried-out.ts';

export const verbs = [
	'message',
	'pause',
	'resume',
	'restart',
	'retry',
	'shell',
	'editor',
	'attach',
	'permissions',
	'withdraw',
	'model',
	'mode',
	'grant',
	'check',
	'stop',
] as const;

/** Options that accompany the typed words. */
export type Options = {
	readonly now?: true;
	/** Number of a snapshot. */
	readonly from?: string;
	readonly as?: Extract<AgentOrder, {verb: 'restart'}>['as'];
};

/** Reads an order to one agent, as typed after its id. */
export const readOrder = (
	verb: string,
	words: readonly string[],
	{now, from, as}: Options,
): AgentOrder => {
	const text = words.join(' ');
	if (now && verb !== 'message') {
		throw new Failure('usage', '--now is for a message.');
	}

	if ((from !== undefined || as !== undefined) && verb !== 'restart') {
		throw new Failure('usage', '--from and --agent are for a restart.');
	}

	switch (verb) {
		case 'message':
			return {verb, text: required(text), ...(now ? {now} : {})};
		case 'model':
		case 'mode':
			return requiredSwitch(`/${verb} ${text}`);
		case 'restart':
			return without(words, {verb, from: numberIn(from), ...defined({as})});
		case 'grant':
			return {verb, paths: someOf(words)};
		case 'pause':
		case 'check':
		case 'stop':
			return without(words, {verb});
		case 'resume':
			return {verb, ...(text === '' ? {} : {text})};
		default: {
			const meant = didYouMean(verb, verbs);
			throw new Failure('usage', `There is no verb "${verb}" for an agent.`, {
				hint: meant === undefined ? `take one of: ${verbs.join(', ')}` : `did you mean "${meant}"?`,
			});
		}
	}
};

/** Reads the number of a snapshot, if one is typed. */
const numberIn = (text: string | undefined): number | null => {
	if (text !== undefined && !/^[1-9]\d{0,8}$/.test(text)) {
		throw new Failure('usage', `"${text}" is not the number of a snapshot.`, {
			hint: 'delegate-tui log shows the snapshots',
		});
	}

	return text === undefined ? null : Number(text);
};

const requiredSwitch = (text: string): AgentOrder => {
	const order = switchIn(text);
	if (order === undefined) {
		throw new Failure('usage', 'One name is needed, as the agent itself writes it.', {
			hint: 'delegate-tui agent AGT-001 model opus',
		});
	}

	return order;
};

const required = (text: string): string => {
	if (text.trim() === '') {
		throw new Failure('usage', 'The message has no words.', {
			hint: 'delegate-tui agent AGT-001 message "Use the clock of the request"',
		});
	}

	return text;
};

const someOf = (paths: readonly string[]): readonly string[] => {
	if (paths.length === 0) {
		throw new Failure('usage', 'There is no path to grant.', {
			hint: 'delegate-tui diff AGT-001 --reverted shows what was reverted',
		});
	}

	return paths;
};

const without = (words: readonly string[], order: AgentOrder): AgentOrder => {
	if (words.length > 0) {
		throw new Failure('usage', `"${order.verb}" takes no words, such as "${words.join(' ')}".`);
	}

	return order;
};

type Retry = {readonly item: string; readonly choice: string; readonly profile: string};

/** Restarts a failed agent as another program, which is told why the one before failed. */
export const retryAs = async (
	here: Here,
	session: LastSession,
	{item: id, choice: typed, profile}: Retry,
	{note, json}: {readonly note?: string; readonly json?: boolean},
): Promise<void> => {
	const item = itemOf(session.state, id);
	const choice =
		item?.kind === 'failure' ? readChoice<'failure'>(session.state, item, typed) : undefined;
	if (item?.kind !== 'failure' || (choice?.verb !== 'retry' && choice?.verb !== 'retry-from')) {
		const message = `--agent goes with the retry of a failed agent only, not with "${typed}" of ${id}.`;
		throw new Failure('usage', message, {
			hint: 'delegate-tui agent AGT-001 restart --agent PROFILE is for any other one',
		});
	}

	const {program, environment} = await requireProgram(here, profile);
	const from = choice.verb === 'retry-from' ? choice.snapshot : null;
	const order = {verb: 'restart', from, as: program, item: id, ...defined({text: note})} as const;
	const {event, done} = await carriedOut(here, session, item.agent, order, environment);
	printAs({json}, {ok: true, event}, done);
};

/** A program of the config, and the environment of its profile, which is kept out of records of the program. */
export type FoundProgram = {
	readonly program: NamedProgram;
	readonly environment: Readonly<Record<string, string>>;
};

/**
Returns the program that the config has under a name.

@throws `Failure` of kind `usage` if there is none.
*/
export const requireProgram = async (here: Here, name: string): Promise<FoundProgram> => {
	const found = await findProgram(here, name);
	if ('why' in found) {
		const {message, hint} = found.why;
		throw new Failure('usage', message, defined({hint}));
	}

	return found;
};

export const findProgram = async (here: Here, name: string): Promise<FoundProgram | NoProfile> => {
	const config = await requireConfig(here);
	const choice = findProfile(name, config.agents, config.unreadRegistry);
	if ('why' in choice) {
		return choice;
	}

	const {program, env} = programOf(choice.found);
	return {program: {profile: name, ...program}, environment: env};
};
