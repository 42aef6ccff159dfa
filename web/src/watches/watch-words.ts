import type { Watch } from '../wire.ts';

const errors: Readonly<Record<NonNullable<Watch['error']>, string>> = {
  QUOTA_EXCEEDED: 'The quota of this key is used up: the next check waits until there is some.',
  INVALID_REQUESTER: 'Not checked: this key may not use the requester, or the registry refuses it.',
  INVALID_INPUT: 'The registry refuses this number.',
};

/** The reason why a number is not watched at present; undefined if it is. */
export function explainWatchError({ error }: Watch): string | undefined {
  return error === null ? undefined : errors[error];
}
