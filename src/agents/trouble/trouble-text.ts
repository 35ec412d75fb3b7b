import type {ModelTrouble, TroubleKind} from '../../events/model-trouble.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {withoutStop} from '../../lib/without-stop.ts';

/** Returns a trouble in one sentence without its full stop: what it is, what was said of it, and what may help; `login` is what follows "to log in". */
export const troubleText = (trouble: ModelTrouble, login: string | undefined): string => {
	const advice = adviceOn(trouble, login);
	return [
		`${headlines[trouble.kind]}: ${withoutStop(trouble.said)}`,
		...(advice === undefined ? [] : [advice]),
	].join('; ');
};

/** Each is true whatever the cause behind it: a service tells a missing login and a wrong key alike. */
const headlines: Readonly<Record<TroubleKind, string>> = {
	login: 'it is not logged in, or its login was refused',
	access: 'the service of its model refused it access',
	credit: 'its account is out of credit',
	rate: 'its model takes no more requests for now',
	overloaded: 'the service of its model is overloaded',
	service: 'the service of its model has trouble',
	network: 'the service of its model can’t be reached',
	context: 'its conversation is too long for its model',
	model: 'its model was not found',
	request: 'the service of its model refused the request',
	refused: 'its model refused to answer',
	limit: 'its model reached the most that it may do in a turn',
	unknown: 'the agent reported an error',
};

const adviceOn = (
	{kind, retryAfterMs, limit}: ModelTrouble,
	login: string | undefined,
): string | undefined => {
	switch (kind) {
		case 'login':
			return login === undefined ? undefined : `to log in, ${login}`;
		case 'access':
			return login === undefined ? undefined : `if that is for lack of a login, ${login}`;
		case 'credit':
			return 'add some, then try again';
		case 'rate':
		case 'overloaded':
		case 'service':
			if (limit !== undefined) {
				return `requests are taken again at ${limit.until.slice(0, 10)} ${limit.until.slice(11, 16)} UTC`;
			}

			return retryAfterMs === undefined
				? undefined
				: `it asks to be tried again in ${formatDuration(Math.max(1000, retryAfterMs))}`;
		case 'network':
			return 'see whether the network is there';
		case 'model':
			return 'name another one in the plan or in the agent’s own settings';
		case 'context':
		case 'request':
		case 'refused':
		case 'limit':
		case 'unknown':
			return undefined;
	}
};
