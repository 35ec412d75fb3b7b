import {whoAnsweredFirst} from '../../client/texts/closed-text.ts';
import {isEvent} from '../../events/decode.ts';
import {diskFiles} from '../../journal/files.ts';
import {readIfThere} from '../../journal/read.ts';
import {defined} from '../../lib/defined.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {recordsOf} from '../../rules/questions/record.ts';
import type {LastSession} from '../here.ts';

/** Returns why a decision was refused; whoever answers a question that waits no more is told what became of it. */
export const explainRefusal = async (
	{folder}: LastSession,
	item: string,
	error: unknown,
): Promise<unknown> => {
	const {kind, hint} = asFailure(error);
	const reading = kind === 'refused' ? await readIfThere(folder.journal, diskFiles) : undefined;
	const told = whoAnsweredFirst(recordsOf((reading?.entries ?? []).filter(isEvent)), item);
	return told === undefined
		? error
		: new Failure('refused', told, {
				cause: error,
				...defined({hint}),
			});
};
