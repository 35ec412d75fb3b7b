import {breakagesOf} from '../../conflicts/breakages.ts';
import {combine} from '../../conflicts/combine.ts';
import {defined} from '../../lib/defined.ts';
import {counted} from '../../lib/text/counted.ts';
import type {ItemOf} from '../../state/item.ts';
import type {State} from '../../state/state.ts';
import {inputOf} from '../picking/select-work.ts';
import {requireSession} from '../require-session.ts';
import type {Works} from '../world.ts';

type Order = {readonly earlier: readonly string[]; readonly later: string};

/** Tries in which order less has to be mended, and says so; the agent's own answer to it can't be known. */
export const triedOrders = async (
	works: Works,
	state: State,
	item: ItemOf<'conflict'>,
	order: Order,
): Promise<string> => {
	const found = await toMend(works, state, order);
	const own = `${order.later} would find ${counted(found, 'thing')} to mend`;
	const other = turned(item, order);
	if (other === undefined) {
		return `${own}.`;
	}

	const less = (await toMend(works, state, other)) - found;
	return less === 0
		? `${own}, and ${other.later} as many the other way round.`
		: `${own}, and ${other.later} ${counted(found + less, 'thing')} the other way round: ${less < 0 ? 'that way' : 'this way'} it is fewer.`;
};

/** The other order of the two sides, if it is one that can be taken. */
const turned = ({a, b}: ItemOf<'conflict'>, {later}: Order): Order | undefined => {
	const [side, other] = a.includes(later) ? [a, b] : [b, a];
	const [one, ...more] = other;
	return one === undefined || one === 'target' || more.length > 0
		? undefined
		: {earlier: side, later: one};
};

const toMend = async (
	{store, oracles}: Works,
	state: State,
	{earlier, later}: Order,
): Promise<number> => {
	const {tip, base, startedAt} = requireSession(state);
	const names = [...earlier.filter(name => name !== 'target'), later];
	const inputs = names.flatMap(name => inputOf(state, name) ?? []);
	const combination = await combine(store, {tip, base, inputs, resolutions: [], at: startedAt});
	const {signal} = new AbortController();
	const {found} = await breakagesOf(store, combination, defined({signal, quick: true, oracles}));
	return (combination.kind === 'conflicts' ? combination.conflicts.length : 0) + found.length;
};
