import {expect, test} from 'vitest';
import {readDeliverable} from '../../../src/state/agent/claimed.ts';

test.each([
	['docs/page.md', {path: 'docs/page.md'}],
	['Makefile', {path: 'Makefile'}],
	['`docs/page.md`', {path: 'docs/page.md'}],
	['docs/page.md - a page', {path: 'docs/page.md', description: 'a page'}],
	['docs/page.md — a page', {path: 'docs/page.md', description: 'a page'}],
	['docs/page.md: a page', {path: 'docs/page.md', description: 'a page'}],
	['docs/page.md (new)', {path: 'docs/page.md', description: '(new)'}],
	['`docs/page.md` - a page', {path: 'docs/page.md', description: 'a page'}],
	['{path: docs/page.md}', {path: 'docs/page.md'}],
	['{"path":"docs/page.md","lines":3}', {path: 'docs/page.md'}],
	['path: docs/page.md', {path: 'docs/page.md'}],
	['app/[id]/page.tsx', {path: 'app/[id]/page.tsx'}],
	['A page about limits', {}],
	['Done: all of it', {}],
	['e.g. a page - for customers', {}],
	['', {}],
])('of the deliverable “%s” is looked up: %j', (said, read) => {
	expect(readDeliverable(said)).toEqual(read);
});
