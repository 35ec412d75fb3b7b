import fc from 'fast-check';

/** A mutant that a property finds is found by few inputs, or by the examples beside it. */
fc.configureGlobal({numRuns: 5});
