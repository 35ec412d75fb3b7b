import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {ifThere} from '../../lib/files/reading.ts';
import {bytesText} from '../../lib/text/sanitize.ts';
import type {Obstacle} from '../process/at-work.ts';
import {type GitResult, noRoomAt} from '../process/result.ts';
import type {Checkout} from '../repository/checkouts.ts';
import type {Repository} from '../repository/repository.ts';
import {blobSizes} from '../tree/blobs.ts';
import {changes, newOf} from '../tree/changes.ts';
import type {CheckoutStep} from './move-checkout.ts';

/** Returns an obstacle with the needed space if a move failed because the disk is full; git may only name the file that it could not write. */
export const noRoomFor = async (
	{commonDir}: Repository,
	step: CheckoutStep,
	{stderr}: Pick<GitResult, 'stderr'>,
	checkout?: Checkout,
): Promise<Obstacle | undefined> => {
	const full = noRoomAt(stderr, [...(checkout === undefined ? [] : [checkout.root]), commonDir]);
	return full === undefined
		? undefined
		: {
				cause: 'no-room',
				message: `There is no room to move ${step.target}: ${full}. Everything is as it was before.`,
				hint: `Free at least ${bytesText(await neededBytes(step, checkout))} there, then try again.`,
			};
};

/** Block size of a disk, in bytes. */
const pageBytes = 4096;

/** Margin for folders, trees and logs. */
const marginBytes = 2 ** 20;

/** Returns the needed space: each file is stored twice, also as an object, and the new index is written beside the old one. */
const neededBytes = async (
	{store, from, to}: CheckoutStep,
	checkout: Checkout | undefined,
): Promise<number> => {
	const oids = (await changes(store, from, to)).flatMap(change => newOf(change)?.oid ?? []);
	const sizes = await blobSizes(store, oids);
	const pages = oids.map(oid => Math.ceil((sizes.get(oid) ?? 0) / pageBytes + 1));
	const files = pages.reduce((sum, count) => sum + count * pageBytes, 0);
	const index = checkout && (await ifThere(stat(join(checkout.gitDir, 'index'))));
	return 2 * files + (index?.size ?? 0) + marginBytes;
};
