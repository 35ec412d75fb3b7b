import type {Context} from '../model/view.ts';

/** What every screen is drawn from. */
export type ScreenProps = {readonly context: Context; readonly height: number};
