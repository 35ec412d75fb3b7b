import type {Model} from '../model.ts';
import type {ResourceKey} from '../resources/resources.ts';

/** How a recording is played. */
export type Playing = {
	/** Pauses, or goes on. */
	readonly toggle: () => void;
	/** Goes so many events forth, or back, and stays there. */
	readonly step: (events: number) => void;
};

/** What the screen reads from: the model as last published, and how to hear of the next one. */
export type Store = {
	readonly model: () => Model;
	readonly subscribe: (listener: () => void) => () => void;
	/** Publishes at once what has come; before a key is judged, for example. */
	readonly flush: () => void;
	/** Fetches resources. */
	readonly want: (resources: readonly ResourceKey[]) => void;
	/** Only of a recording. */
	readonly playing?: Playing;
	readonly close: () => void;
};
