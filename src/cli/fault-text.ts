import type {Failure} from '../lib/failure.ts';
import type {LastSession} from './here.ts';

/** What readers of a session say beside it where its journal is damaged, or of a later version. */
export type FaultField = {readonly fault?: Pick<Failure, 'message' | 'hint'>};

/** Returns why not all of a session is told, for programs; nothing where all is. */
export const faultField = (session: LastSession | undefined): FaultField => {
	const {message, hint} = session?.fault ?? {};
	return message === undefined ? {} : {fault: {message, hint}};
};

/** Returns the same as a line for people; the cause and the way out stand on stderr, where every command tells them. */
export const faultLines = ({id, fault, state}: LastSession): readonly string[] => {
	if (fault === undefined) {
		return [];
	}

	return state.session === null
		? [`${id}: nothing of this session’s journal can be read.`]
		: [`${id}: not all of this session’s journal can be read; what follows was true before that.`];
};
