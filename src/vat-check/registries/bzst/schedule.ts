import { addDays, dateIn, minuteOfDayIn, momentIn } from '../../../platform/time/time.ts';

const zone = 'Europe/Berlin';
const minuteMs = 60_000;
/** From a failed question to the next one; the office asks not to repeat at once (rule M11). The last step repeats. */
const stepsMinutes = [5, 15, 60] as const;
/** Largest deviation from a step, so that questions that failed together are not repeated together. */
const jitter = 0.1;
/** Between 23:00 and 05:00 the office may maintain its service. */
const [nightFrom, nightTo] = [23 * 60, 5 * 60];

/**
 * When a question that has failed may be asked again, in epoch milliseconds: after 5, 15 and 60 minutes and then hourly, each
 * ±10 %, and never between 23:00 and 05:00 in Berlin.
 */
export function retryAt(endedAt: number, attempts: number, random: number): number {
  const step = stepsMinutes[Math.min(attempts, stepsMinutes.length) - 1] ?? stepsMinutes[0];
  const at = endedAt + Math.round(step * minuteMs * (1 - jitter + 2 * jitter * random));
  const minute = minuteOfDayIn(zone, at);
  if (minute >= nightTo && minute < nightFrom) return at;
  const day = dateIn(zone, at);
  return momentIn(zone, minute >= nightFrom ? addDays(day, 1) : day, nightTo);
}
