import {createInterface} from 'node:readline/promises';
import type {Command} from 'commander';
import {openStore} from '../../git/store.ts';
import {Failure} from '../../lib/failure.ts';
import {isThere} from '../../lib/is-there.ts';
import {findProcessLayer} from '../../lib/process-layer.ts';
import {bytesText} from '../../rules/notices.ts';
import type {Finding} from '../doctor/check.ts';
import {examine} from '../doctor/checks.ts';
import {type Cleaned, clean} from '../doctor/clean.ts';
import type {Attic, Leftover} from '../doctor/leftover.ts';
import {findLeftovers} from '../doctor/leftovers.ts';
import {readSessions} from '../doctor/read-sessions.ts';
import {findHere, type Here} from '../here.ts';
import {exitCodes, print, printJson} from '../output.ts';
import {isAtTerminal} from '../show-session.ts';

type Options = {readonly json?: boolean; readonly clean?: boolean; readonly yes?: boolean};

/** `doctor`: what is missing, what was found after a crash, what is left over; with `--clean` also removes that. */
export const addDoctor = (program: Command): void => {
	program
		.command('doctor')
		.description('what is missing, what was found after a crash, what can be removed')
		.option('--json', 'as JSON')
		.option('--clean', 'remove what no session needs any more')
		.option('--yes', 'do not ask before that')
		.action(doctor);
};

const doctor = async (options: Options): Promise<void> => {
	const here = await findHere().catch(() => undefined);
	const layer = await findProcessLayer(process.env.DELEGATE_TUI_PROCESSES);
	const findings = await examine({here, environment: process.env, layer});
	const attic = here === undefined ? undefined : await atticOf(here);
	const leftovers = attic === undefined ? [] : await findLeftovers(attic);
	if (!options.json) {
		print([...findings.map(findingText), ...leftovers.map(leftoverText)].join('\n'));
	}

	const cleaned =
		options.clean && attic !== undefined ? await cleanUp(attic, leftovers, options) : [];
	if (options.json) {
		printJson({findings, leftovers: leftovers.map(leftoverJson(cleaned))});
	}

	const isBad = findings.some(({level}) => level === 'bad');
	const isUndone = cleaned.some(({failed}) => failed !== undefined);
	process.exitCode = isBad ? exitCodes.missing : isUndone ? exitCodes.refused : 0;
};

/** There is nothing to look through where no session ever was. */
const atticOf = async (here: Here): Promise<Attic | undefined> =>
	(await isThere(here.folder.store))
		? {
				here,
				store: await openStore(here.folder.store, here.repository),
				sessions: await readSessions(here.folder),
				now: new Date(),
			}
		: undefined;

const signs = {good: '✓', absent: '·', warn: '!', bad: '✗'} as const;

const findingText = ({level, check, text, hint}: Finding): string =>
	`${signs[level]} ${check.padEnd(columns)} ${text}${hint === undefined ? '' : `\n  ${' '.repeat(columns)} Hint: ${hint}`}`;

/** Columns of the names of checks; those of agents of one's own may be longer. */
const columns = 11;

const leftoverText = ({text, bytes, verdict}: Leftover): string =>
	`- ${'left over'.padEnd(columns)} ${text}${sizeText(bytes)}: ${
		verdict.kind === 'safe' ? 'safe to remove' : `kept, ${verdict.why}`
	}`;

const sizeText = (bytes: number): string => (bytes === 0 ? '' : `, ${bytesText(bytes)}`);

const leftoverJson =
	(cleaned: readonly Cleaned[]) =>
	(leftover: Leftover): Readonly<Record<string, unknown>> => {
		const {kind, text, bytes, verdict} = leftover;
		const done = cleaned.find(one => one.leftover === leftover);
		return {
			kind,
			text,
			bytes,
			safe: verdict.kind === 'safe',
			why: verdict.kind === 'kept' ? verdict.why : (done?.failed ?? null),
			removed: done !== undefined && done.failed === undefined,
		};
	};

const cleanUp = async (
	attic: Attic,
	leftovers: readonly Leftover[],
	{json = false, yes = false}: Options,
): Promise<readonly Cleaned[]> => {
	const safe = leftovers.filter(({verdict}) => verdict.kind === 'safe');
	if (safe.length === 0) {
		if (!json) {
			print('There is nothing to remove.');
		}

		return [];
	}

	if (!yes) {
		await requireConsent(safe);
	}

	const cleaned = await clean(attic, safe);
	if (!json) {
		print(cleaned.map(cleanedText).join('\n'));
	}

	return cleaned;
};

const cleanedText = ({leftover, failed}: Cleaned): string =>
	failed === undefined ? `removed: ${leftover.text}` : `not removed: ${failed}`;

/** @throws `Failure` of kind `refused` when nobody says yes. */
const requireConsent = async (safe: readonly Leftover[]): Promise<void> => {
	if (!isAtTerminal()) {
		throw new Failure('refused', 'Nothing was removed: nobody is here to be asked.', {
			hint: 'delegate-tui doctor --clean --yes',
		});
	}

	const bytes = safe.reduce((sum, leftover) => sum + leftover.bytes, 0);
	const terminal = createInterface({input: process.stdin, output: process.stdout});
	try {
		const question = `Remove what is safe to remove (${safe.length} in all${sizeText(bytes)})? [y/N] `;
		const answer = await terminal.question(question);
		if (!/^y(es)?$/i.test(answer.trim())) {
			throw new Failure('refused', 'Nothing was removed.');
		}
	} finally {
		terminal.close();
	}
};
