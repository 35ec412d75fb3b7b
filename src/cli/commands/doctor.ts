import {type Command, Option} from 'commander';
import {pinnedSessions} from '../../git/repository/base-ref.ts';
import {openStore} from '../../git/store/store.ts';
import {exitCodes} from '../../lib/failure.ts';
import {isThere} from '../../lib/files/reading.ts';
import {findContainment} from '../../lib/process/containment.ts';
import {defined} from '../../lib/values.ts';
import {examine} from '../doctor/checks.ts';
import type {DoctorFinding} from '../doctor/config.ts';
import {type Cleaned, clean} from '../doctor/leftovers/clean.ts';
import type {Leftover, LeftoverContext} from '../doctor/leftovers/leftover.ts';
import {amountText, findLeftovers, leftoverText, sumText} from '../doctor/leftovers/leftovers.ts';
import {readSessions} from '../doctor/sessions/read-sessions.ts';
import {setSessionAside} from '../doctor/sessions/set-session-aside.ts';
import {findHere, type Here, requireNamed} from '../here.ts';
import {print, printJson} from '../output.ts';
import {requireYes} from '../questions.ts';
import {requirePerson} from '../reach-supervisor.ts';

type Options = {
	readonly json?: boolean;
	readonly clean?: boolean;
	readonly session?: string;
	readonly setAside?: string;
	readonly yes?: boolean;
};

/** Adds the command `doctor`: missing parts, findings after a crash, and leftovers, with `--session` of only one session; `--clean` also removes leftovers, and `--set-aside` gives up a damaged session. */
export const addDoctor = (program: Command): void => {
	program
		.command('doctor')
		.description('what is missing, what was found after a crash, what can be removed')
		.option('--json', 'as JSON')
		.option('--clean', 'remove what no session needs any more')
		.option('--session <session>', 'look for what is left of this session, and nothing else')
		.addOption(
			new Option(
				'--set-aside <session>',
				'give up a session whose journal is damaged; all of it is kept',
			).conflicts(['clean', 'session']),
		)
		.option('--yes', 'do not ask before either')
		.action(doctor);
};

const doctor = async (options: Options): Promise<void> => {
	if (options.setAside !== undefined) {
		const here = await findHere();
		requirePerson(here);
		await setSessionAside(here, options.setAside, options);
		return;
	}

	const here = await findHere().catch(() => undefined);
	if (options.clean && here !== undefined) {
		requirePerson(here);
	}

	const findings = options.session === undefined ? await examined(here) : [];
	const context = here === undefined ? undefined : await atticOf(here, options.session);
	const leftovers = context === undefined ? [] : await findLeftovers(context);
	if (!options.json) {
		print([...findings.map(findingText), ...linesOf(leftovers, context?.now)].join('\n'));
	}

	const cleaned =
		options.clean && context !== undefined ? await cleanUp(context, leftovers, options) : [];
	if (options.json) {
		printJson({findings, leftovers: leftovers.map(leftoverJson(cleaned))});
	}

	const isBad = findings.some(({level}) => level === 'bad');
	const isUndone = cleaned.some(({failed}) => failed !== undefined);
	process.exitCode = isBad ? exitCodes.missing : isUndone ? exitCodes.refused : 0;
};

const examined = async (here: Here | undefined): Promise<readonly DoctorFinding[]> => {
	const containment = await findContainment(process.env.DELEGATE_TUI_PROCESSES);
	return examine({here, environment: process.env, containment});
};

/** Returns where to look for leftovers; nothing if there never was a session. */
const atticOf = async (here: Here, only?: string): Promise<LeftoverContext | undefined> => {
	if (only !== undefined) {
		requireNamed(here, only);
	}

	const {folder, repository} = here;
	return (await isThere(folder.store)) || (await pinnedSessions(repository)).length > 0
		? {
				here,
				store: await openStore(folder.store, repository),
				sessions: await readSessions(folder),
				now: new Date(),
				...defined({only}),
			}
		: undefined;
};

const signs = {good: '✓', absent: '·', warn: '!', bad: '✗'} as const;

/** Returns a finding as lines for a person. */
export const findingText = ({level, check, text, hint}: DoctorFinding): string =>
	`${signs[level]} ${check.padEnd(columns)} ${text}${hint === undefined ? '' : `\n  ${' '.repeat(columns)} Hint: ${hint}`}`;

/** Columns of the names of checks; those of the config's agents may be longer. */
const columns = 11;

const linesOf = (leftovers: readonly Leftover[], now = new Date()): readonly string[] => {
	const lines = leftovers.map(leftover => leftoverText(leftover, now));
	const told = lines.length === 0 ? [] : [...lines, sumText(leftovers)];
	return told.map(line => `- ${'left over'.padEnd(columns)} ${line}`);
};

const leftoverJson =
	(cleaned: readonly Cleaned[]) =>
	(leftover: Leftover): Readonly<Record<string, unknown>> => {
		const {kind, text, session, bytes, verdict} = leftover;
		const done = cleaned.find(one => one.leftover === leftover);
		return {
			kind,
			text,
			session: session?.id ?? null,
			endedAt: session?.endedAt ?? null,
			bytes,
			safe: verdict.kind === 'safe',
			why: verdict.kind === 'kept' ? verdict.why : (done?.failed ?? null),
			removed: done !== undefined && done.failed === undefined,
		};
	};

const cleanUp = async (
	context: LeftoverContext,
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
		await requireYes(`Remove what is safe to remove, ${amountText(safe)}?`, {
			undone: 'Nothing was removed',
			hint: 'delegate-tui doctor --clean --yes',
		});
	}

	const cleaned = await clean(context, safe);
	if (!json) {
		print(cleaned.map(cleanedText).join('\n'));
	}

	return cleaned;
};

const cleanedText = ({leftover, failed}: Cleaned): string =>
	failed === undefined ? `removed: ${leftover.text}` : `not removed: ${failed}`;
