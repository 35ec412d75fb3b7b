/** The agent that means well and writes where it may not. */
export const receipt = `# An agent: reads its prompt on stdin, works in the current directory, speaks on stdout.
cat >/dev/null
echo "PROGRESS: Receipt - looking at the prices"
sleep "$DEMO_PAUSE"
sleep "$DEMO_PAUSE"
echo "PROGRESS: Receipt - making cake 4.00 in src/menu.js, it prints nicer"
cat >src/menu.js <<'END'
/** Prices in cents. */
export const menu = {tea: 250, cake: 400, sandwich: 540};
END
sleep "$DEMO_PAUSE"
sleep "$DEMO_PAUSE"
echo "PROGRESS: Receipt - writing src/receipt.js"
cat >src/receipt.js <<'END'
import {menu} from './menu.js';
import {total} from './total.js';

/** Returns the lines of a receipt. */
export const receipt = order =>
	[...order.items.map(item => line(item, menu[item])), line('to pay', total(order))].join('\\n');

const line = (name, cents) => name.padEnd(10) + (cents / 100).toFixed(2).padStart(6);
END
cat >test/receipt.test.js <<'END'
import assert from 'node:assert/strict';
import test from 'node:test';
import {receipt} from '../src/receipt.js';

test('a receipt lists the items and the total', () => {
	assert.equal(receipt({items: ['tea']}), 'tea         2.50\\nto pay      2.50');
});
END
sleep "$DEMO_PAUSE"
node --test test/receipt.test.js >/dev/null && status=success || status=failed
cat <<END
[COMPLETION_REPORT]
status: $status
deliverables: [src/receipt.js, test/receipt.test.js]
[/COMPLETION_REPORT]
END
`;
