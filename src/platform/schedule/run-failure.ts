import { UpstreamError, type UpstreamFailureKind } from '../upstream/upstream-error.ts';

/**
 * The reasons of failed runs that callers may see. The text for operators may contain addresses and settings; these
 * codes do not.
 */
export const runFailures = {
  no_answer: 'the source could not be reached, or did not answer in time',
  refused: 'the source refused the request',
  unusable_answer: 'the answer of the source was incomplete or not the expected document',
  wrong_clock: 'the clock of the machine differs from that of the source by more than an hour',
  interrupted: 'the process stopped before the run ended',
  internal: 'an error of the service or its database',
} as const;

export type RunFailure = keyof typeof runFailures;

const byKind: Readonly<Record<UpstreamFailureKind, RunFailure>> = {
  network: 'no_answer',
  proxy: 'no_answer',
  timeout: 'no_answer',
  cancelled: 'interrupted',
  status: 'refused',
  redirected: 'refused',
  refused: 'refused',
  fault: 'refused',
  html: 'unusable_answer',
  empty: 'unusable_answer',
  encoding: 'unusable_answer',
  truncated: 'unusable_answer',
  malformed: 'unusable_answer',
  schema: 'unusable_answer',
  'too-large': 'unusable_answer',
  clock: 'wrong_clock',
};

/** The reason of a run that threw. */
export function runFailureOf(error: unknown): RunFailure {
  return error instanceof UpstreamError ? byKind[error.kind] : 'internal';
}
