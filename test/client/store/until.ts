import type {Model} from '../../../src/client/model.ts';
import type {Store} from '../../../src/client/store/publisher.ts';

/** Settles as soon as the store publishes what is wanted. */
export const until = (store: Store, isSo: (model: Model) => boolean): Promise<Model> =>
	untilPublished(store.subscribe, store.model, isSo);

/** The same of anything that is published. */
export const untilPublished = <Published>(
	subscribe: Store['subscribe'],
	published: () => Published,
	isSo: (published: Published) => boolean,
): Promise<Published> =>
	new Promise(resolve => {
		const look = (): void => {
			if (isSo(published())) {
				stop();
				resolve(published());
			}
		};

		const stop = subscribe(look);
		look();
	});
