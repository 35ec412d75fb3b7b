import type {Spent} from '../../client/activity/account.ts';

/** Returns what an agent has used up as short texts; nothing of what it does not tell. */
export const spentTexts = (spent: Spent | undefined): readonly string[] => {
	if (spent === undefined) {
		return [];
	}

	const {tokens, cost, context} = spent;
	return [
		...(tokens === 0 ? [] : [`${countText(tokens)} tokens`]),
		...Object.entries(cost).map(([currency, amount]) => moneyText(currency, amount)),
		...(context === undefined ? [] : [`context ${Math.round(context * 100)} %`]),
	];
};

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
