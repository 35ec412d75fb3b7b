import {expect, test} from 'vitest';
import {html, htmlText, shipped} from '../../src/lib/html.ts';

test('words of others are never read as markup, be they in an element or in an attribute', () => {
	const hostile = `"><script>alert('1')</script>&amp;`;
	expect(htmlText(html`<p title="${hostile}">${hostile}</p>`)).toBe(
		'<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;</p>',
	);
});

test('markup stays markup, in lists as well, and what is absent leaves nothing', () => {
	const items = ['a', 'b'].map(name => html`<li>${name}</li>`);
	expect(htmlText(html`<ul>${items}${undefined}${false}${[7, shipped('<hr>')]}</ul>`)).toBe(
		'<ul><li>a</li><li>b</li>7<hr></ul>',
	);
});

test('what would turn the direction of writing is spelled out, and lines stay lines', () => {
	expect(htmlText(html`${'a\u202Eb\nc\x1b[1m'}`)).toBe('a&lt;U+202E&gt;b\nc␛[1m');
});
