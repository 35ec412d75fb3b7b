/** What was used up, as far as that is known; `context` is the part of an agent's memory that is full. */
type Spent = {
	readonly tokens?: number | null;
	readonly cost?: Readonly<Record<string, number>> | null;
	readonly context?: number;
};

/** Returns what was used up in words; nothing where nobody told. */
export const spentText = (spent: Spent): string => spentTexts(spent).join(', ');

/** Returns what was used up as short texts; nothing of what was not told. */
export const spentTexts = ({tokens, cost, context}: Spent): readonly string[] => [
	...(tokens ? [`${countText(tokens)} tokens`] : []),
	...Object.entries(cost ?? {}).map(([currency, amount]) => moneyText(currency, amount)),
	...(context === undefined ? [] : [`context ${Math.round(context * 100)} %`]),
];

/** Returns `950`, `12.3k`, `1.2M`. */
export const countText = (count: number): string => {
	if (count < 1000) {
		return `${count}`;
	}

	return count < 999_950 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
};

/** What costs less than a cent is no nothing. */
const moneyText = (currency: string, amount: number): string => {
	const digits = amount > 0 && amount < 0.01 ? 4 : 2;
	return currency === 'USD'
		? `$${amount.toFixed(digits)}`
		: `${amount.toFixed(digits)} ${currency}`;
};
