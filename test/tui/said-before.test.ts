import {expect, test} from 'vitest';
import {working} from '../helpers/given.ts';
import {aDiff, large, openItem, openScreen, papersOf} from './a-screen.ts';

const checkpoint = (file: string): string => `----------
AGENT CHECKPOINT: [AGT-001]
----------
Status: IN_PROGRESS
Progress: 40%

## Changes Made
| File | Action | Description |
|------|--------|-------------|
| ${file} | Modified | a change |

## Request
CONTINUE
----------
`;

test('what an agent said at a checkpoint before is not held against it at the next one', () => {
	const session = working(['AGT-001']);
	session.says('AGT-001', checkpoint('src/limit.js'));
	session.work();
	session.decide('cp-1', 'continue');
	session.work();
	session.says('AGT-001', checkpoint('src/new.js'));
	session.work();
	expect(session.agent('AGT-001').told.files).toEqual(['src/limit.js', 'src/new.js']);

	const screen = openScreen({state: session.state()}, {size: large});
	openItem(screen, 'checkpoint');
	screen.learn({papers: papersOf(screen.context(), aDiff)});
	expect(screen.frame()).toContain('✓ src/limit.js  said at a checkpoint before');
	expect(screen.frame()).not.toContain('changed, but not said');
});
