const unitsMs = {h: 3_600_000, min: 60_000, s: 1000} as const;

const pattern = /^(?=\d)(?:(?<h>\d+)h)?(?: ?(?<min>\d+)m(?:in)?)?(?: ?(?<s>\d+)s)?$/;

/**
Parses a duration as people write it: `1h`, `90s`, `30min`, `1h30m`, `1h 30min`.

@returns milliseconds, or `undefined` when the text is no duration or too long to count exactly.
*/
export const parseDuration = (text: string): number | undefined => {
	const parts = pattern.exec(text)?.groups;
	if (parts === undefined) {
		return undefined;
	}

	const totalMs =
		Number(parts.h ?? 0) * unitsMs.h +
		Number(parts.min ?? 0) * unitsMs.min +
		Number(parts.s ?? 0) * unitsMs.s;
	return Number.isSafeInteger(totalMs) ? totalMs : undefined;
};

/**
Formats milliseconds in the form that `parseDuration` accepts: `1h30m`, `1m30s`, `0s`.

Rounds down, so that elapsed time is never shown before it has passed; negative time is `0s`.
*/
export const formatDuration = (durationMs: number): string => {
	const seconds = Math.max(0, Math.floor(durationMs / 1000));
	const parts = [
		[Math.floor(seconds / 3600), 'h'],
		[Math.floor(seconds / 60) % 60, 'm'],
		[seconds % 60, 's'],
	] as const;
	const text = parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('');
	return text === '' ? '0s' : text;
};

/** Formats a running time: in seconds, after a minute in whole minutes, so that a screen is redrawn once a minute. */
export const runningText = (runningMs: number): string =>
	formatDuration(
		runningMs < unitsMs.min ? runningMs : Math.floor(runningMs / unitsMs.min) * unitsMs.min,
	);

/** Formats a remaining time in its two largest units: `2 h 4 min`, `20 s`. Rounds up, so that the time isn't over before the text says so. */
export const remainingText = (remainingMs: number): string => {
	const seconds = Math.max(0, Math.ceil(remainingMs / 1000));
	const minutes = Math.ceil(seconds / 60);
	const hours = Math.ceil(minutes / 60);
	if (seconds < 60) {
		return `${seconds} s`;
	}

	if (minutes < 60) {
		return `${minutes} min`;
	}

	return hours <= 24
		? inUnits(minutes, 60, ['h', 'min'])
		: inUnits(hours, 24, [hours < 48 ? 'day' : 'days', 'h']);
};

const inUnits = (count: number, size: number, [large, small]: readonly [string, string]): string =>
	[
		`${Math.floor(count / size)} ${large}`,
		...(count % size === 0 ? [] : [`${count % size} ${small}`]),
	].join(' ');

export const later = (at: string, ms: number): string =>
	new Date(Date.parse(at) + ms).toISOString();

/** Returns the time of day as `19:05:59`, in the time zone of this process. */
export const timeOfDay = (at: string): string => new Date(at).toTimeString().slice(0, 8);

export const elapsedMs = (from: string, to: string): number => Date.parse(to) - Date.parse(from);
