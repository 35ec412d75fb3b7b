import type {Context} from './view.ts';

/** Returns why nothing at all can be done to the session, if so. */
export const notLive = ({model}: Context): string | undefined => {
	if (model.mode.kind === 'replay') {
		return 'This is a recording; nothing can be done to it.';
	}

	return model.state.session?.ended ? 'The session has ended.' : undefined;
};
