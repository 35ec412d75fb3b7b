import Original from '../../node_modules/ink/build/output.js';
import stringWidth from './string-width.ts';

type Write = Parameters<Original['write']>;
type Clip = Parameters<Original['clip']>[0];

/**
Collects what Ink draws and returns it as the text of a frame, like Ink's own class.

It replaces that class in the bundle: Ink makes an object of every cell of every frame, and collecting that garbage takes longer than all else after a key. Our frames are whole rows, one below the other, whose texts end their own styles, so their texts are the frame; anything else is left to Ink.
*/
export default class Output extends Original {
	readonly #rows: string[];
	#areWhole = true;

	constructor(size: {width: number; height: number}) {
		super(size);
		this.#rows = Array.from({length: size.height}, () => '');
	}

	override write(...[x, y, text, options]: Write): void {
		super.write(x, y, text, options);
		this.#areWhole &&=
			x === 0 && this.#rows[y] === '' && !text.includes('\n') && stringWidth(text) <= this.width;
		this.#rows[y] = options.transformers.reduce((row, transform) => transform(row, 0), text);
	}

	override clip(clip: Clip): void {
		super.clip(clip);
		const {x1 = 0, y1 = 0, x2 = this.width, y2 = this.height} = clip;
		this.#areWhole &&= x1 <= 0 && y1 <= 0 && x2 >= this.width && y2 >= this.height;
	}

	override get(): ReturnType<Original['get']> {
		return this.#areWhole
			? {output: this.#rows.map(row => row.trimEnd()).join('\n'), height: this.height}
			: super.get();
	}
}
