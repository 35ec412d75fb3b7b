import type {Command} from 'commander';
import {eventText} from '../../client/texts/event-text.ts';
import {questionRecordJson, questionRecordText} from '../../client/texts/question-record-text.ts';
import {encodeLine} from '../../journal/codec.ts';
import {diskFiles} from '../../journal/files.ts';
import {readIfThere} from '../../journal/read.ts';
import {Failure} from '../../lib/failure.ts';
import {recordsOf} from '../../rules/question-record.ts';
import {isEvent} from '../../state/apply/apply.ts';
import {setAsideAt} from '../../supervisor/past/last-session.ts';
import {tryToWakeSupervisor} from '../awake.ts';
import {findHere, type Here, type LastSession, readLastSession, readNamedSession} from '../here.ts';
import {noSessionText} from '../no-session.ts';
import {drained, faultField, print, printBarred, printJson} from '../output.ts';

type Options = {readonly json?: boolean; readonly questions?: boolean};

export const addLog = (program: Command): void => {
	program
		.command('log [session]')
		.description('what happened, event by event; in the last session unless another is named')
		.option('--questions', 'the questions, and who answered what, when and from where')
		.option('--json', 'one event per line, as journaled; questions as one object')
		.action(async (id: string | undefined, {json = false, questions = false}: Options) => {
			const here = await findHere();
			const session = id === undefined ? await readAndWake(here) : await readNamedSession(here, id);
			if (questions && (session !== undefined || json)) {
				await printQuestions(session, json);
			} else if (session !== undefined) {
				await printLog(session, json);
			} else if (!json) {
				print(await noSessionText(here));
			}
		});
};

const readAndWake = async (here: Here): Promise<LastSession | undefined> => {
	const session = await readLastSession(here);
	await tryToWakeSupervisor(here, session);
	return session;
};

const printQuestions = async (session: LastSession | undefined, json: boolean): Promise<void> => {
	const reading = session && (await readIfThere(session.folder.journal, diskFiles));
	const records = recordsOf((reading?.entries ?? []).filter(isEvent));
	if (json) {
		printJson({questions: records.map(questionRecordJson), ...faultField(session)});
		return;
	}

	if (records.length === 0) {
		print('Nothing was asked.');
	} else {
		records.flatMap(questionRecordText).forEach(printBarred);
	}

	if (session?.fault !== undefined) {
		throw session.fault;
	}
};

/** Prints the log, with a note on damage at the end of its undamaged part. */
const printLog = async ({folder, fault}: LastSession, json: boolean): Promise<void> => {
	const reading = await readIfThere(folder.journal, diskFiles);
	for (const entry of reading?.entries ?? []) {
		if (json) {
			process.stdout.write(encodeLine(entry));
		} else {
			printBarred(isEvent(entry) ? eventText(entry) : `${entry.at}  ${entry.kind}`);
		}

		await drained();
	}

	if (fault === undefined) {
		return;
	}

	const aside = await setAsideAt(folder);
	throw aside === undefined
		? fault
		: new Failure(fault.kind, fault.message, {
				hint: `the session was set aside for that on ${aside.at.slice(0, 10)}; all of it is in ${folder.path}`,
			});
};
