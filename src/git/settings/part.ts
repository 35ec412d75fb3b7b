import {createHash} from 'node:crypto';

/** One of the things that git goes by: what stands in it, as a digest, and what a person calls it. */
export type Part = {readonly digest: string; readonly label: string};

/** Several of them, each with the name that it keeps. */
export type Parts = readonly (readonly [string, Part])[];

export const partOf = (content: unknown, label: string): Part => ({
	digest: digestOf(content),
	label,
});

/** Returns a digest of plain data; 128 bits, since it stands in journals in great numbers. */
export const digestOf = (content: unknown): string =>
	createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
