import {type Html, html, htmlText, shipped} from '../../lib/html.ts';

export type WholePageParts = {
	readonly title: string;
	readonly style: string;
	/** With its own tag. */
	readonly body: Html;
};

/** Returns a page as a browser gets it; nothing in it is loaded from elsewhere. */
export const wholePage = ({title, style, body}: WholePageParts): string =>
	htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${shipped(style)}</style>
</head>
${body}
</html>
`);
