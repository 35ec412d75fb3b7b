/** Returns a number of bytes in words. */
export const bytesText = (bytes: number): string => {
	const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
	const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
	const value = bytes / 2 ** (10 * power);
	return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
};
