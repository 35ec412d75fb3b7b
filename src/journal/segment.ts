import {join} from 'node:path';

const pattern = /^(?<number>\d{6})\.ndjson$/;

/** Returns the file of a segment: `000001.ndjson` and on. */
export const segmentPath = (folder: string, segment: number): string =>
	join(folder, `${String(segment).padStart(6, '0')}.ndjson`);

/** Returns the number of a segment's file, or nothing for any other file. */
export const segmentNumber = (name: string): number | undefined => {
	const digits = pattern.exec(name)?.groups?.number;
	return digits === undefined ? undefined : Number(digits);
};
