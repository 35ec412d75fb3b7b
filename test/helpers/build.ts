import {buildWhenStale} from '../../scripts/fresh.ts';

/** The stories run the program as people do, so the bundle must be that of today's code. */
export default buildWhenStale;
