import { describe, expect, it } from 'vitest';
import { addDays, formatInstant, isoDate, momentIn } from '../../src/platform/time/time.ts';
import { setNow } from '../support/sandbox/scripts.ts';
import { startService, type TestService } from '../support/start-service.ts';

/** A service of both banks that was asked at these moments, with a short history. */
async function startAt(...lived: readonly string[]): Promise<TestService> {
  const at = lived[0] ?? '';
  const fxFrom = addDays(isoDate(at.slice(0, 10)), -20);
  return startService({ at, fxFrom, lived, config: { fxBanks: ['nbp', 'cnb'] } });
}

/** The date and the caching of an answer, or the error and the seconds of `Retry-After`. */
async function ask(service: TestService, path: string): Promise<readonly unknown[]> {
  const { text, headers } = await service.get(path);
  const { date, error } = JSON.parse(text) as { readonly date?: string; readonly error?: string };
  return date === undefined
    ? [error, Number(headers['retry-after'])]
    : [date, headers['cache-control']];
}

const immutable = 'public, max-age=31536000, immutable';
const untilFixing = ((14 * 60 + 45) * 60_000) / 1_000;

describe('public holidays in Czechia (Act No 245/2000 Coll., rule N7)', () => {
  it.each([
    ['Good Friday to Easter Monday', '2026-04-02', '2026-04-06'],
    ['1 May', '2026-04-30', '2026-05-03'],
    ['17 November', '2026-11-16', '2026-11-17'],
    // The example that the bank itself gives for its declaration.
    ['24 to 26 December', '2025-12-23', '2025-12-28'],
  ])(
    '%s have the fixing of %s from their first minute on, to %s; the day after has its own',
    async (_, fixed, last) => {
      const service = await startAt(`${fixed}T15:00:00Z`);
      const at = (day: string): string => formatInstant(momentIn('Europe/Prague', isoDate(day), 0));
      const path = (day: string): string => `/fx/vat/${day}?country=CZ&bank=cnb`;

      let day = addDays(isoDate(fixed), 1);
      for (; day <= last; day = addDays(day, 1)) {
        setNow(service.scenario, at(day));
        expect([day, ...(await ask(service, path(day)))]).toEqual([day, fixed, immutable]);
      }
      setNow(service.scenario, at(day));
      expect(await ask(service, path(day))).toEqual(['fx rate not published yet', untilFixing]);
    },
  );

  it('had no Good Friday before 2016: that day has its own fixing', async () => {
    const service = await startAt('2015-04-02T15:00:00Z', '2015-04-03T15:00:00Z');

    const answer = await ask(service, '/fx/vat/2015-04-03?country=CZ&bank=cnb');

    expect(answer).toEqual(['2015-04-03', immutable]);
  });
});

describe('days off work in Poland (rule N7)', () => {
  it.each([
    ['Easter Monday; Good Friday is a working day', '2026-04-07', '2026-04-03'],
    ['24 to 26 December', '2025-12-29', '2025-12-23'],
    ['25 and 26 December; 24 December was a working day before 2025', '2024-12-27', '2024-12-24'],
  ])('%s: a tax point of %s has the table of %s', async (_, taxPoint, date) => {
    const midnight = momentIn('Europe/Warsaw', isoDate(taxPoint), 0);
    const service = await startAt(`${date}T15:00:00Z`, formatInstant(midnight + 6 * 60_000));

    const answer = await ask(service, `/fx/vat/${taxPoint}?country=PL&bank=nbp`);

    expect(answer).toEqual([date, immutable]);
  });
});
