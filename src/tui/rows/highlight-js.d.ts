/** Stands for the types of highlight.js, which would bring a browser’s with them. */
export type LanguageFn = (highlighter: unknown) => object;
