import {isCommonCase, readConflictCases} from '../helpers/conflict-cases.ts';
import {tryCases} from './try-cases.ts';

tryCases(readConflictCases().filter(isCommonCase));
