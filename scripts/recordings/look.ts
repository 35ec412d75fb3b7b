import {readFile} from 'node:fs/promises';
import type {Model} from '../../src/client/model.ts';
import {
	createResources,
	fetchResource,
	keyText,
	type ResourceKey,
} from '../../src/client/resources/resources.ts';
import type {Resources} from '../../src/client/resources/shown.ts';
import type {Ask} from '../../src/client/supervisor/request-within.ts';
import {connect} from '../../src/control/send.ts';
import {readJournal} from '../../src/journal/read.ts';
import {fold, isEvent} from '../../src/state/apply/apply.ts';
import {resourcesFor} from '../../src/tui/controller.ts';
import {withKeys} from '../../src/tui/keys.ts';
import {open} from '../../src/tui/model/open-item.ts';
import {type Context, startView} from '../../src/tui/model/view.ts';

/** Paths of a session that is being recorded. */
export type Looked = {readonly journal: string; readonly socketFile: string};

/** Opens an item like a screen, and returns the resources that the supervisor sent for it. */
export const lookAt = async (session: Looked, item: string): Promise<Resources> => {
	const keys = resourcesFor(await openedOn(session.journal, item));
	const control = await connect(await readFile(session.socketFile, 'utf8'));
	try {
		return await fetched(control.request, keys);
	} finally {
		control.close();
	}
};

const openedOn = async (journal: string, item: string): Promise<Context> => {
	const {entries} = await readJournal(journal);
	const state = fold(entries.filter(isEvent));
	const model: Model = {
		state,
		log: [],
		tails: {},
		activities: {},
		questions: [],
		resources: {},
		now: state.at,
		mode: {kind: 'live'},
	};
	const board: Context = {
		model,
		view: startView({columns: 200, rows: 50}),
		table: withKeys({}),
	};
	return {...board, view: open(board, item)};
};

const fetched = (ask: Ask, keys: readonly ResourceKey[]): Promise<Resources> =>
	new Promise(resolve => {
		const look = (): void => {
			const all = resources.all();
			if (
				keys
					.map(key => all[keyText(key)])
					.every(resource => resource && resource.phase !== 'loading')
			) {
				resolve(all);
			}
		};

		const resources = createResources(what => fetchResource(ask, what), look);
		resources.want(keys);
		look();
	});
