import type { Answer, Unanswered } from '../../../src/vat-check/registries/outcome.ts';
import type { Attempt } from '../../../src/vat-check/stored/attempts/progress.ts';

/** An answer of the registry without name and address. */
export const answer = (valid: boolean): Answer => ({
  valid,
  requestDate: '2026-11-20+01:00',
  name: null,
  address: null,
});

/** The outcome of an attempt that the registry answered. */
export const answered = (valid: boolean): Attempt<Answer>['outcome'] => ({
  kind: 'answered',
  answer: answer(valid),
  maxAgeSeconds: undefined,
});

/** The outcome of an attempt while the Member State's registry is down. */
export const down: Unanswered = { kind: 'memberStateUnavailable', because: 'down' };
