import {createHash, randomBytes, timingSafeEqual} from 'node:crypto';

/** Returns a word that nobody can guess, of signs that need no care in a link. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Returns whether a word is the token, in a time that tells nothing of how much of it is right. */
export const isToken = (token: string, word: string): boolean =>
	timingSafeEqual(digest(token), digest(word));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
