import {statfsSync} from 'node:fs';
import {execa, execaSync} from 'execa';
import {onTestFinished} from 'vitest';
import {temporaryFolder} from '../helpers/repository.ts';

/** Whether this machine lets us mount a disk. */
export const canMount = execaSync('unshare', ['--mount', 'true'], {reject: false}).exitCode === 0;

/** A disk in memory that is as full as a test says. */
export type SmallDisk = {
	readonly folder: string;
	/** Leaves so many pages of room. */
	readonly leave: (pages: number) => Promise<void>;
	/** Makes more room than a session can use. */
	readonly free: () => Promise<void>;
};

/** How large it is while there is room; it takes memory only for what is written. */
const roomy = '4g';

/** Mounts a disk, until the test ends. */
export const mountDisk = async (): Promise<SmallDisk> => {
	const folder = temporaryFolder();
	await execa('mount', ['-t', 'tmpfs', '-o', `size=${roomy}`, 'tmpfs', folder]);
	onTestFinished(async () => {
		await execa('umount', ['--lazy', folder]);
	});
	const resize = (size: string) =>
		execa('mount', ['-o', `remount,size=${size}`, folder], {reject: false});
	return {
		folder,
		leave: async pages => {
			// It can't become smaller than what is on it, which may grow meanwhile.
			for (let exitCode: number | undefined; exitCode !== 0; ) {
				const {blocks, bfree, bsize} = statfsSync(folder);
				({exitCode} = await resize(String((blocks - bfree + pages) * bsize)));
			}
		},
		free: async () => {
			await resize(roomy);
		},
	};
};
