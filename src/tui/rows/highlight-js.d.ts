/** Replaces the types of highlight.js, which would bring those of a browser. */
export type LanguageFn = (highlighter: unknown) => object;
