import type {Context} from './view.ts';

/** Returns why nothing can be decided or done, whatever it is: in a recording all of it was. */
export const inRecording = ({model}: Pick<Context, 'model'>): string | undefined =>
	model.mode.kind === 'replay' ? 'This is a recording; nothing can be done to it.' : undefined;

/** Returns why nothing at all can be done to the session, if so. */
export const notLive = (context: Context): string | undefined =>
	inRecording(context) ??
	(context.model.state.session?.ended ? 'The session has ended.' : undefined);
