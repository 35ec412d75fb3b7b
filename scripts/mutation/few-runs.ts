import fc from 'fast-check';

/** A mutant that a property finds is found with few inputs, or with the examples beside it. */
fc.configureGlobal({numRuns: 5});
