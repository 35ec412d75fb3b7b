import type {Store} from '../../../git/store/store.ts';
import type {SessionFolder} from '../../../supervisor/folder.ts';
import type {Here} from '../../here.ts';

/** Where the story's evidence lies: journal, prompts, patches, logs, objects. */
export type Stage = {
	readonly here: Here;
	readonly session: SessionFolder;
	readonly store: Store;
};
