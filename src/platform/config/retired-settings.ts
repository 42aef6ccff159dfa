/**
 * Settings of an earlier release, which are ignored, and what an operator reads about each. An entry is removed with the
 * release after the one that it came with.
 */
export const retiredSettings: Readonly<Record<string, string>> = {
  OPS_HOSTS:
    'the operations port accepts addresses and private names (docs/operating.md); remove it',
  FAST_PATH: 'every request is answered in the same way; remove it',
  MAX_CONNECTIONS_PER_ADDRESS:
    'MAX_CONNECTIONS ends the oldest connections without a key; remove it',
};
