import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {openOracles} from '../../src/conflicts/oracle/open-oracles.ts';
import type {Plan} from '../../src/events/plan.ts';
import {groupsContainment} from '../../src/lib/process/containment.ts';
import {createFreezer} from '../../src/lib/process/freezer.ts';
import type {State} from '../../src/state/state.ts';
import {createChecks, createStarts} from '../../src/supervisor/budgets.ts';
import {createConversations} from '../../src/supervisor/conversations.ts';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {openSlots} from '../../src/supervisor/machine/slots.ts';
import {createNotices} from '../../src/supervisor/notices.ts';
import {openTelemetry} from '../../src/supervisor/telemetry.ts';
import {createTools} from '../../src/supervisor/tools.ts';
import {requireSession, serially, snapshotCounter, type World} from '../../src/supervisor/world.ts';
import {makeStore} from '../git/world.ts';
import {planned} from '../helpers/given.ts';
import type {Files} from '../helpers/repository.ts';

/** What effects act on, around a real repository, and the state of a session there in which no work is accepted. */
export const makeSupervised = async (
	files: Files,
	plan: Partial<Plan> = {},
): Promise<{readonly world: World; readonly state: State}> => {
	const {state: home, repository, store, base} = await makeStore(files);
	const given = planned(['AGT-001'], {plan}).state();
	const {root} = repository;
	// Stragglers are found by the session's id: those of one world are no business of another's.
	const id = `DEL-${randomUUID()}`;
	const session = {
		...requireSession(given),
		id,
		base,
		tip: base,
		repository: {id: 'repository', root},
	};
	const state = {...given, session};
	const folder = repositoryFolder(home, 'repository').session(id);
	const now = () => '2026-01-01T00:00:00.000Z';
	const notices = createNotices([]);
	const world: World = {
		repository,
		store,
		session: id,
		folder,
		containment: groupsContainment('for a test'),
		freezer: createFreezer(),
		environments: {get: () => ({}), keepOf: async () => {}, keep: async () => {}},
		state: () => state,
		turns: new Map(),
		conversations: createConversations(),
		checks: createChecks(),
		starts: createStarts(),
		slots: openSlots(home),
		tools: createTools({
			folder,
			version: '1',
			program: [],
			state: () => state,
			append: async () => {},
			notices,
			onResult: () => {},
		}),
		notices,
		checkout: {begin: async () => {}, look: async () => {}, close: () => {}},
		questions: {look: async () => {}},
		budgets: {hear: () => {}},
		telemetry: openTelemetry(join(home, 'telemetry'), {now, onTrouble: () => {}}),
		append: async () => {},
		report: () => {},
		oracles: openOracles({store, runsCode: false}, {plugins: [], now: () => 0, patienceMs: 1}),
		now,
		serially: serially(),
		nextSnapshot: snapshotCounter(store, id),
	};
	return {world, state};
};
