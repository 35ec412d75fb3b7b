import {expect, test} from 'vitest';
import {inMarkdown, inMarkdownCell} from '../../../src/lib/text/in-markdown.ts';

test('no markup, picture, link or address is left of words of others', () => {
	expect(inMarkdown('<b>x</b> ![a](http://e.example) `c` ~~d~~ &lt; # *e* \\')).toBe(
		'\\<b\\>x\\</b\\> !\\[a\\](http\\://e.example) \\`c\\` \\~\\~d\\~\\~ \\&lt; \\# \\*e\\* \\\\',
	);
	expect(inMarkdown('www.e.example, me@e.example, FTP://e.example')).toBe(
		'www\\.e.example, me\\@e.example, FTP\\://e.example',
	);
});

test('names of files stay readable, and patterns where programs read them', () => {
	expect(inMarkdown('src/rate_limit.test_ts _x_')).toBe('src/rate_limit.test_ts \\_x\\_');
	expect(inMarkdown('src/**/*.ts')).toBe('src/\\*\\*/\\*.ts');
	expect(inMarkdown('src/**/*.ts', {globs: true})).toBe('src/**/*.ts');
});

test('words stay on their line and in their cell', () => {
	expect(inMarkdown(' a\r\n\n# b ')).toBe('a \\# b');
	expect(inMarkdownCell('a | b \\| c')).toBe('a \\| b \\\\\\| c');
});
