import {appendFileSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {openSlots} from '../../../src/supervisor/machine/slots.ts';

const [state = '', log = '', name = '', count = '0'] = process.argv.slice(2);

for (let number = 0; number < Number(count); number++) {
	const tree = join(state, `${name}-${number}`, 'tree');
	mkdirSync(tree, {recursive: true});
	const {DELEGATE_SLOT} = await openSlots(state).variablesOf(tree);
	appendFileSync(log, `${name} ${DELEGATE_SLOT}\n`);
}
