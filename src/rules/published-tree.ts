import type {PublishedResult} from '../events/kinds/merge-event.ts';
import {shortOid} from '../lib/text/short-oid.ts';

/** Returns what tree a merge brought, and whether that is the one that was checked. */
export const publishedTree = ({tree, checked}: PublishedResult): string =>
	`, tree ${shortOid(tree)}, ${words[checked]}`;

const words = {
	passed: 'exactly as it was checked',
	failed: 'whose check FAILED',
	not: 'not checked',
} satisfies Readonly<Record<PublishedResult['checked'], string>>;
