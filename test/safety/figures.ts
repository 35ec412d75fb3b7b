import {appendFileSync} from 'node:fs';

/** Whether everything is to be tried, and not just the part that fits into a run for every change. */
const isDeep = process.env.SAFETY_DEEP === '1';

/** Returns how often something is to be tried in this run. */
export const times = ({part, deep}: {readonly part: number; readonly deep: number}): number =>
	isDeep ? deep : part;

/** Which part of what is tried in turns is tried in this run: each commit has the next one. */
const part = Number(process.env.SAFETY_PART ?? 0);

/** Returns what is to be tried in this run: everything, or one in so many, of which the next commit tries the next ones, so that none is left out for long. */
export const partOf = <One>(all: readonly One[], oneIn: number): readonly One[] =>
	isDeep ? all : all.filter((_, index) => index % oneIn === part % oneIn);

/** Where a run starts to draw; each run may have its own, so that deep runs need not repeat each other. */
export const seed = Number(process.env.SAFETY_SEED ?? 1);

/** Tells what was tried and held, for the table that the suite prints; call it after the last assertion. */
export const tell = (promise: string, what: string, count: number): void => {
	const file = process.env.SAFETY_FIGURES;
	if (file !== undefined) {
		appendFileSync(file, `${JSON.stringify({promise, what, count})}\n`);
	}
};
