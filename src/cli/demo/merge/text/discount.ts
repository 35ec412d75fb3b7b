/** The agent that asks before it guesses; the answer becomes the program's constant. */
export const discount = `# An agent: reads its prompt on stdin, works in the current directory, speaks on stdout.
prompt=$(cat)
percent=$(printf '%s\\n' "$prompt" | sed -n 's/^ANSWER percent: //p')

if [ -z "$percent" ]; then
	echo "PROGRESS: Discount - reading src/total.js"
	sleep "$DEMO_PAUSE"
	cat <<'END'
[CLARIFICATION_NEEDED]
blocked_at: the size of the discount
questions:
  - id: percent
    question: How many percent do regular guests get off?
    type: choice
    options: ["5", "10", "25"]
current_state: nothing is written yet
[/CLARIFICATION_NEEDED]
END
	exit
fi

echo "PROGRESS: Discount - writing src/discount.js with $percent percent"
cat >src/discount.js <<END
const percent = $percent;

/** Returns what is left of a sum after the discount, in cents. */
export const discounted = (sum, {regular = false}) =>
	regular ? Math.round(sum * (1 - percent / 100)) : sum;
END
cat >src/total.js <<'END'
import {discounted} from './discount.js';
import {menu} from './menu.js';

/** Returns what a guest pays, in cents. */
export const total = order => {
	const sum = order.items.reduce((cents, item) => cents + menu[item], 0);
	return discounted(sum, order);
};
END
cat >test/discount.test.js <<END
import assert from 'node:assert/strict';
import test from 'node:test';
import {total} from '../src/total.js';

test('a regular guest pays $percent percent less', () => {
	assert.equal(total({items: ['tea', 'tea'], regular: true}), 500 - 5 * $percent);
});
END
sleep "$DEMO_PAUSE"
node --test test/discount.test.js >/dev/null && status=success || status=failed
cat <<END
[COMPLETION_REPORT]
status: $status
deliverables: [src/discount.js, src/total.js, test/discount.test.js]
[/COMPLETION_REPORT]
END
`;
