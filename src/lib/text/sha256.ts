/** Returns the SHA-256 digest of a short text in hexadecimal. Loading `node:crypto` would take a tenth of the time of a short command. */
export const sha256 = (text: string): string => {
	const bytes = Buffer.from(text);
	const padded = Buffer.alloc((bytes.length + 72) & ~63);
	padded.set([...bytes, 0x80]);
	padded.writeUInt32BE(bytes.length * 8, padded.length - 4);
	const state = Uint32Array.from(primes.slice(0, 8), prime => fraction(Math.sqrt(prime)));
	for (let at = 0; at < padded.length; at += 64) {
		addBlock(state, padded.subarray(at, at + 64));
	}

	return Array.from(state, word => word.toString(16).padStart(8, '0')).join('');
};

const fraction = (root: number): number => Math.floor((root % 1) * 2 ** 32);

/** First 64 prime numbers. */
const primes: number[] = [];
for (let number = 2; primes.length < 64; number++) {
	if (primes.every(prime => number % prime !== 0)) {
		primes.push(number);
	}
}

const constants = primes.map(prime => fraction(Math.cbrt(prime)));

const addBlock = (state: Uint32Array, block: Buffer): void => {
	const words = new Uint32Array(64);
	const word = (index: number): number => words[index] ?? 0;
	let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
	for (const [index, constant] of constants.entries()) {
		words[index] =
			index < 16
				? block.readUInt32BE(index * 4)
				: word(index - 16) +
					mixed(word(index - 15), 7, 18, word(index - 15) >>> 3) +
					word(index - 7) +
					mixed(word(index - 2), 17, 19, word(index - 2) >>> 10);
		const one = h + mixed(e, 6, 11, turned(e, 25)) + ((e & f) ^ (~e & g)) + constant + word(index);
		const two = mixed(a, 2, 13, turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
		[a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
	}

	state.set([a, b, c, d, e, f, g, h].map((each, index) => (state[index] ?? 0) + each));
};

const mixed = (word: number, one: number, other: number, third: number): number =>
	turned(word, one) ^ turned(word, other) ^ third;

const turned = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));
