import type { Explanation } from '../parts/failure-words.ts';
import type { DataSetStatus, MemberStateStatus, RegistryStatus, RunStatus } from '../wire.ts';
import { agoInWords, countInWords, dateInWords, momentInWords, timeInWords } from '../words.ts';

/** The condition of a data set, the database or a registry: a kind for the sign, and words. */
export type Condition = {
  readonly kind: 'good' | 'bad' | 'unknown';
  readonly text: string;
};

const heldTitle = 'Held for a decision';

/** The condition of a data set: “VAT rates of 24 November 2026, complete”, or what is missing. */
export function conditionOf(name: string, of: DataSetStatus): Condition {
  const { newestVersion, publicationsMissed, heldCount, error } = of;
  if (newestVersion === null) return { kind: 'bad', text: `No ${name} yet` };
  const date = dateInWords(newestVersion);
  if (error !== null) return { kind: 'bad', text: `${name} of ${date}, which is later than today` };
  if (publicationsMissed === 0) return { kind: 'good', text: `${name} of ${date}, complete` };
  const isHeld = (heldCount ?? 0) > 0;
  const why = isHeld ? heldTitle : `${countInWords(publicationsMissed, 'day')} missing`;
  return { kind: 'bad', text: `${why}: the newest ${name} are of ${date}` };
}

/**
 * Explains what is wrong with the newest data of a set; undefined if nothing is. Before the first publication there is
 * no newest data.
 */
export function explainFreshness(of: DataSetStatus): Explanation | undefined {
  const { newestVersion, publicationsMissed, heldCount, error } = of;
  if (newestVersion === null) return undefined;
  const newest = `the newest data is of ${dateInWords(newestVersion)}`;
  if (error !== null) {
    return {
      title: `The newest data is of ${dateInWords(newestVersion)}, which is later than today`,
      advice: 'The clock of a machine was wrong. An operator has to take this data back.',
    };
  }
  const isHeld = (heldCount ?? 0) > 0;
  if (publicationsMissed === 0) {
    return isHeld
      ? { title: heldTitle, advice: `${explainHeld(of)} The data below is up to date.` }
      : undefined;
  }
  return isHeld
    ? { title: `${heldTitle}: ${newest}`, advice: explainHeld(of) }
    : {
        title: `${countInWords(publicationsMissed, 'day')} missing: ${newest}`,
        advice: 'The service could not fetch later data yet, and tries again by itself.',
      };
}

/** Says that data is held, and when its source is asked again: only while the data of a day is missing. */
export function explainHeld({ publicationsMissed, nextRunAt }: DataSetStatus): string {
  const fetched = 'The fetched data is implausible, so it is not published';
  if (publicationsMissed === 0 || nextRunAt === null)
    return `${fetched} until an operator decides.`;
  const again = `The source is asked again at ${timeInWords(nextRunAt)}`;
  return `${fetched}. ${again}; a plausible answer is published without you.`;
}

const outcomes: Readonly<Record<string, string>> = {
  published: 'new rates',
  unchanged: 'nothing new',
  held: 'implausible data',
  failed: 'failed',
};

const failures: Readonly<Record<string, string>> = {
  no_answer: 'the source did not answer in time',
  refused: 'the source refused the request',
  unusable_answer: 'the answer of the source was unusable',
  wrong_clock: 'the clock of the service is wrong',
  interrupted: 'the service was stopped meanwhile',
  internal: 'the service had an error; its log has the reason',
};

/** “3 hours ago: new rates”, with the reason if the run failed. */
export function runInWords(run: RunStatus, now: string): string {
  const { outcome, startedAt, endedAt } = run;
  if (endedAt === null) return `began ${agoInWords(startedAt, now)}`;
  const result = outcome === null ? 'ended' : (outcomes[outcome] ?? outcome);
  const reason = run.failure === null ? undefined : failures[run.failure];
  return `${agoInWords(endedAt, now)}: ${result}${reason === undefined ? '' : `, because ${reason}`}`;
}

/** The next run of a job: “at 18:05 UTC”, or with its date if that is another one. */
export function nextRunInWords(nextRunAt: string, now: string): string {
  if (nextRunAt <= now) return 'now';
  const isToday = nextRunAt.slice(0, 10) === now.slice(0, 10);
  return isToday ? `at ${timeInWords(nextRunAt)}` : `on ${momentInWords(nextRunAt)}`;
}

/** Describes the kind of a failure in `/status`. */
function failureInWords(name: string): string {
  if (name === 'timedOut') return 'too slow';
  if (name.startsWith('memberStateUnavailable')) return 'down or busy';
  if (name.startsWith('serviceUnavailable')) return 'all of VIES down or busy';
  return 'unusable answer';
}

/** A block by VIES: “VIES refuses the queries of this service until 20 Nov, 17:00 UTC (IP_BLOCKED).” */
export function blockInWords({ blockedUntil, reason }: RegistryStatus): string | undefined {
  if (blockedUntil === null) return undefined;
  const why = reason === null ? '' : ` (${reason})`;
  return `VIES refuses the queries of this service until ${momentInWords(blockedUntil)}${why}.`;
}

/** The calls of a day and the work that is left: “Waiting: 36,000 numbers, done on 27 November 2026 at this pace.”. */
export function workInWords(status: RegistryStatus): readonly string[] {
  const { callsToday, waitingChecks, estimatedDoneAt } = status;
  if (callsToday === null) return [];
  const { background, callers, perDay } = callsToday;
  const most = perDay === null ? '' : ` of at most ${grouped(perDay)}`;
  const calls = `Queries today: ${grouped(background)}${most} in the background, ${grouped(callers)} that a caller waited for.`;
  if (waitingChecks === null || waitingChecks === 0 || estimatedDoneAt === null) return [calls];
  const noun = waitingChecks === 1 ? 'number' : 'numbers';
  const done = dateInWords(estimatedDoneAt);
  return [calls, `Waiting: ${grouped(waitingChecks)} ${noun}, done on ${done} at this pace.`];
}

function grouped(count: number): string {
  return count.toLocaleString('en-GB');
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
