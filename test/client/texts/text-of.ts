import {itemText} from '../../../src/client/texts/item-text.ts';
import {inbox} from '../../../src/rules/inbox.ts';
import type {Given} from '../../helpers/given.ts';

/** What waits in a session, as people are told. */
export const textOf = (session: Given): string =>
	inbox(session.state())
		.map(item => itemText(item, '/store'))
		.join('\n');
