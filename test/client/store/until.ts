import type {Model} from '../../../src/client/model.ts';
import type {ModelStore} from '../../../src/client/store/publisher.ts';

/** Settles as soon as the store publishes what is wanted. */
export const until = (store: ModelStore, isSo: (model: Model) => boolean): Promise<Model> =>
	untilPublished(store.subscribe, store.model, isSo);

/** The same of anything that is published. */
export const untilPublished = <Published>(
	subscribe: ModelStore['subscribe'],
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
