import type {ServerResponse} from 'node:http';

/** What holds for each answer: nothing keeps it, no other page gets at it, and its address goes nowhere. */
const headers = {
	'cache-control': 'no-store',
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
} as const;

/** Sets what each answer says, whatever becomes of it. */
export const prepare = (response: ServerResponse, policy: string): void => {
	response.setHeaders(new Map(Object.entries({...headers, 'content-security-policy': policy})));
};

/** Answers with a whole text. */
export const send = (response: ServerResponse, type: string, text: string): void => {
	response.writeHead(200, {'content-type': `${type}; charset=utf-8`}).end(text);
};

/** Answers with a sentence why not, and ends the connection: what still comes on it is of no use. */
export const refuse = (response: ServerResponse, status: number, why: string): void => {
	response
		.writeHead(status, {'content-type': 'text/plain; charset=utf-8', connection: 'close'})
		.end(`${why}\n`);
};
