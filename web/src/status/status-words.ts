import type { DataSetStatus, MemberStateStatus, RunStatus } from '../wire.ts';
import { agoInWords, countInWords, durationInWords } from '../words.ts';

/** The condition of a data set, the database or a registry: a kind for the sign, and words. */
export type Condition = {
  readonly kind: 'good' | 'bad' | 'unknown';
  readonly text: string;
};

/** The condition of a data set: whether it has all publications that are due. */
export function conditionOf({ newestVersion, publicationsMissed }: DataSetStatus): Condition {
  if (newestVersion === null) return { kind: 'bad', text: 'Nothing published yet' };
  if (publicationsMissed === 0) return { kind: 'good', text: 'Up to date' };
  return { kind: 'bad', text: `${countInWords(publicationsMissed, 'publication')} missing` };
}

const outcomes: Readonly<Record<string, string>> = {
  published: 'published a new version',
  unchanged: 'found nothing new',
  held: 'held implausible data for an operator',
  failed: 'failed',
};

/** “published a new version after 4 seconds, 3 hours ago”. */
export function runInWords(run: RunStatus, now: string): string {
  const { outcome, startedAt, endedAt } = run;
  if (endedAt === null) return `running, started ${agoInWords(startedAt, now)}`;
  const result = outcome === null ? 'ended' : (outcomes[outcome] ?? outcome);
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
  const took = seconds < 1 ? '' : ` after ${durationInWords(seconds)}`;
  return `${result}${took}, ${agoInWords(endedAt, now)}`;
}

/** Describes the kind of a failure in `/status`. */
function failureInWords(name: string): string {
  if (name === 'timedOut') return 'too slow';
  if (name.startsWith('memberStateUnavailable')) return 'down or busy';
  if (name.startsWith('serviceUnavailable')) return 'all of VIES down or busy';
  return 'unusable answer';
}

/** The condition of a registry, by the latest VAT checks of callers. */
export function healthOf(health: MemberStateStatus | undefined, now: string): Condition {
  if (health === undefined) return { kind: 'unknown', text: 'not queried yet' };
  const { lastAnswerAt, lastFailureAt, lastFailure, breaker } = health;
  if (breaker !== 'closed') {
    const checks = breaker === 'open' ? 'checks are paused' : 'one check is sent as a trial';
    return { kind: 'bad', text: `failing: ${checks}` };
  }
  const isFailing =
    lastFailureAt !== null && (lastAnswerAt === null || lastFailureAt > lastAnswerAt);
  if (isFailing) {
    const why = lastFailure === null ? '' : `: ${failureInWords(lastFailure)}`;
    return { kind: 'bad', text: `failed ${agoInWords(lastFailureAt, now)}${why}` };
  }
  if (lastAnswerAt === null) return { kind: 'unknown', text: 'not queried yet' };
  return { kind: 'good', text: `answered ${agoInWords(lastAnswerAt, now)}` };
}
