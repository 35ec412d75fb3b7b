import type {IncomingMessage} from 'node:http';
import {isToken} from './token.ts';

/** What is known of a request before anything of it is done. */
export type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/**
Returns in a sentence why a request is not answered, or nothing when it is.

The name that it was sent to must be one of this machine's, since a page from elsewhere can have its own name lead here. The token stands in each address. A browser says where a request comes from: nothing may be sent by another page, nor read; only the link itself may be followed from anywhere.
*/
export const whyNotServed = (asked: Asked, token: string): string | undefined => {
	const {host = '', origin} = asked.headers;
	if (!ownName.test(host)) {
		return 'This page is only there under a name of this machine, such as 127.0.0.1.';
	}

	if (!isToken(token, addressOf(asked).token)) {
		return 'This link is not valid. Open the whole link that delegate-tui web has printed; each run has its own.';
	}

	const isOwn = origin === `http://${host}`;
	return (origin === undefined ? asked.method !== 'POST' : isOwn) && comesFromHere(asked)
		? undefined
		: 'Another page asked for this, and only the page itself may.';
};

/** Any port, since a tunnel can have another one at its other end. */
const ownName = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

/** Returns the token in an address, what is asked for behind it, and of whom. */
export const addressOf = ({
	url = '',
}: Asked): {readonly token: string; readonly name: string; readonly of: string} => {
	const [, token = '', name = '', of = ''] =
		/^\/([\w-]*)\/?(work(?=\/)|[^?#]*)\/?([^?#]*)/.exec(url) ?? [];
	return {token, name, of};
};

/** Programs that are no browser send none of these fields. */
const comesFromHere = ({method, headers}: Asked): boolean => {
	const site = headers['sec-fetch-site'];
	const isFollowed =
		method === 'GET' &&
		headers['sec-fetch-mode'] === 'navigate' &&
		headers['sec-fetch-dest'] === 'document';
	return site === undefined || site === 'same-origin' || site === 'none' || isFollowed;
};
