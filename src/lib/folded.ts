/** Returns a text as it is compared where spacing and capitals make no difference. */
export const folded = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();
