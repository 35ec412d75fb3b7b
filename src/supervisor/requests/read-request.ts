import {z} from 'zod';
import {Failure} from '../../lib/failure.ts';
import {requestSchema, type SupervisorRequest} from './request.ts';

/**
Reads what comes over the socket.

@throws `Failure` of kind `usage`: where a text is only too long, which a person can do something about, that is said
*/
export const readRequest = (body: unknown): SupervisorRequest => {
	const parsed = requestSchema.safeParse(body);
	if (parsed.success) {
		return parsed.data;
	}

	for (const issue of parsed.error.issues) {
		if (issue.code === 'too_big' && issue.origin === 'string') {
			throw new Failure('usage', `That text is too long: ${issue.maximum} characters are taken.`, {
				hint: 'say it in fewer words, or name a file that the agent can read',
			});
		}
	}

	throw new Failure('usage', 'The supervisor does not understand this request.', {
		hint: 'the screen and the supervisor may be of different versions',
	});
};

/** Returns the token that is shown with a request. */
export const tokenIn = (body: unknown): string | undefined => shown.safeParse(body).data?.token;

const shown = z.object({token: z.string().max(200).optional()});
