import {expect, test} from 'vitest';
import {checkLogIn} from '../../../src/client/tails.ts';
import type {Results} from '../../../src/state/merge/publication.ts';
import {mergeBuilt} from '../../helpers/happened.ts';

const built = mergeBuilt();
const due = {seq: 22, at: '2026-01-01T00:00:00.000Z'};
const running: Results = {merge: {phase: 'built', built, due}, publications: []};

const ended = (path: string | null): Results => {
	const log = path === null ? null : {path, bytes: 1, sha256: 'x'};
	const merge = {phase: 'verified', built, verified: {ok: true, commands: [], log}} as const;
	return {merge, publications: []};
};

test('a running check writes to no log that was begun before it was due', () => {
	expect(checkLogIn(['9.log', '21.log'], running)).toBeUndefined();
	expect(checkLogIn(['9.log', '21.log', '22.log'], running)).toBe('22.log');
});

test('a check that was begun again after a crash writes to the newest log', () => {
	expect(checkLogIn(['100.log', '22.log', '99.log'], running)).toBe('100.log');
});

test('what is no log is passed over', () => {
	expect(checkLogIn(['22', '23.log.part', 'x24.log'], running)).toBeUndefined();
});

test('of a check that has ended the journal names the log', () => {
	expect(checkLogIn(['22.log', '2.log', '24.log'], ended('verify/2.log'))).toBe('2.log');
	expect(checkLogIn(['22.log'], ended(null))).toBeUndefined();
	expect(checkLogIn(['22.log'], {merge: {phase: 'none'}, publications: []})).toBeUndefined();
});
