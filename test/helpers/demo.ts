import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {execa} from 'execa';
import type {Body, BodyOf} from '../../src/events/event.ts';
import {readJournal} from '../../src/journal/read.ts';
import {isEvent} from '../../src/state/apply/apply.ts';
import {program} from './project.ts';
import {filesBelow, temporaryFolder, write} from './repository.ts';

/** Starts the demo with an empty home, in a folder that is no repository. */
export const startDemo = (...words: readonly string[]) => {
	const [home, temporary, current] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
	write(current, {'notes.txt': 'mine\n'});
	const running = execa(process.execPath, [program, 'demo', ...words], {
		cwd: current,
		env: {PATH: process.env.PATH ?? '', HOME: home, TMPDIR: temporary},
		extendEnv: false,
		reject: false,
	});
	return {
		running,
		/** Returns the files in the folders that the demo must not touch. */
		elsewhere: () => ({home: readdirSync(home), current: filesBelow(current)}),
		place: () => {
			const name = readdirSync(temporary).find(entry => entry.startsWith('delegate-demo-'));
			return join(temporary, name ?? 'no demo');
		},
	};
};

/** Returns the events in the journal of a demo. */
export const eventsIn = async (place: string): Promise<readonly Body[]> => {
	const journal = readdirSync(join(place, 'state'), {recursive: true, encoding: 'utf8'}).find(
		path => path.endsWith('/journal'),
	);
	const {entries} = await readJournal(join(place, 'state', journal ?? ''));
	return entries.filter(isEvent);
};

/** Returns the events of a kind. */
export const ofKind = <Kind extends Body['kind']>(
	events: readonly Body[],
	kind: Kind,
): readonly BodyOf<Kind>[] =>
	events.filter((event): event is Extract<Body, {kind: Kind}> => event.kind === kind);

/** Returns the kinds of the decided items, as the prefixes of their ids. */
export const kindsDecided = (events: readonly Body[]): readonly string[] =>
	ofKind(events, 'user.decided').map(({item}) => item.replace(/-.*/, ''));
