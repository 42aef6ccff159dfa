import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8's young generation as small as it is until {@link freeYoungGeneration} is called.
 *
 * What is loaded at the start stays, so that it grows to 10 MB and more for things that are moved out of
 * it anyway, and V8 gives that back only after minutes. Called before the server's code is loaded: by
 * then it has 2 MB, with less the start takes half as long again.
 */
export function limitYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Lets the young generation grow again, as far as requests need it. */
export function freeYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
