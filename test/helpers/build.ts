import {buildWhenStale} from '../../scripts/fresh.ts';

/** Builds the bundle of the current code, since the stories run the program like people do. */
export default buildWhenStale;
