import {
  addDays,
  formatInstant,
  isoDate,
  type IsoDate,
  momentIn,
} from '../../../src/platform/time/time.ts';
import type { TestService } from '../../support/start-service.ts';

/** The dates from one date to another, both included. */
export function datesFrom(from: string, to: string): IsoDate[] {
  const dates: IsoDate[] = [];
  for (let date = isoDate(from); date <= isoDate(to); date = addDays(date, 1)) dates.push(date);
  return dates;
}

/** The moment when the rates of a date are due: 07:00 UTC. */
export function ratesMoment(date: string): string {
  return `${date}T07:00:00.000Z`;
}

/** The moment when the ECB's publication of a date is due and available: 16:05 in Frankfurt. */
export function fxMoment(date: string): string {
  return formatInstant(momentIn('Europe/Berlin', isoDate(date), 16 * 60 + 5));
}

/** Runs the jobs at the two moments of a day at which data is published. */
export async function liveDay(service: TestService, date: string): Promise<void> {
  await service.liveAt(ratesMoment(date));
  await service.liveAt(fxMoment(date));
}

/** Runs the jobs of all days from one date to another. */
export async function liveThrough(service: TestService, from: string, to: string): Promise<void> {
  for (const date of datesFrom(from, to)) await liveDay(service, date);
}
