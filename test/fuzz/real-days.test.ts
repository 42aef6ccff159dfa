import { describe, expect, it } from 'vitest';
import { listHeld } from '../../src/platform/publication/held-store.ts';
import { fxMoment, datesFrom, ratesMoment } from '../journeys/support/days.ts';
import { hasCaptures, unlessAbsent } from '../real-input/captures.ts';
import { bodyOf, readSeries } from '../real-input/ecb-series.ts';
import { countOf, isFull, reportFigure } from '../support/proof.ts';
import { startService } from '../support/start-service.ts';
import { serveRealFixings, serveRealRates } from './support/real-upstreams.ts';
import { setNow } from '../support/sandbox/scripts.ts';

/** The last day of the captured history of the ECB. */
const lastFixing = '2026-04-13';
/** On this day TEDB had zeroes for every reduced rate of Spain; an operator has to look (contract C15). */
const doubtfulDay = '2023-07-01';
/** The days on which rates are refreshed, to the end of the captured records, and those on which a rate moved. */
const [firstRates, lastRates] = isFull
  ? ['2023-06-30', '2026-09-15']
  : ['2026-06-25', '2026-07-05'];
const moved = [
  doubtfulDay,
  '2024-01-01',
  '2024-09-01',
  '2025-01-01',
  '2025-07-01',
  '2025-08-01',
  '2026-01-01',
  '2026-07-01',
].filter((date) => date >= firstRates && date <= lastRates);

describe.skipIf(!hasCaptures)(
  `real documents of the upstreams (reliability R5)${unlessAbsent}`,
  () => {
    it(
      'of TEDB become rates, day after day, and all moves but one are published without an operator',
      async () => {
        const tedbUrl = await serveRealRates();
        const service = await startService({ at: ratesMoment(firstRates), config: { tedbUrl } });
        const { core, scenario } = service;
        const [days, moves, held]: string[][] = [[], [], []];

        for (const date of datesFrom(firstRates, lastRates)) {
          setNow(scenario, ratesMoment(date));
          let [report] = (await core.jobs.rates.refreshTo(date, 0)) ?? [];
          if (report?.outcome === 'held') {
            held?.push(date);
            const [one] = await listHeld(core.db, 'rates');
            if (one !== undefined) report = await core.jobs.rates.publishHeld(one, 0);
          }
          expect(report).toMatchObject({ outcome: 'published', version: date });
          days?.push(date);
          if ((report?.changes ?? 0) > 0) moves?.push(date);
        }

        reportFigure(
          'R5',
          `${days?.length} real days of TEDB from ${firstRates} to ${lastRates}, rates moved on ${moves?.length}: all were ` +
            `published, ${held?.length} of them by an operator (${held?.join(', ') || 'none'})`,
        );
        expect(moves).toEqual(moved);
        expect(held).toEqual(moved.filter((date) => date === doubtfulDay));
      },
      isFull ? 300_000 : 60_000,
    );

    it('of the ECB become exchange rates, every day', async () => {
      const series = readSeries().slice(0, countOf({ full: 6_983, perCommit: 700 }));
      const ecbUrl = await serveRealFixings(series);
      const service = await startService({ at: fxMoment(lastFixing), config: { ecbUrl } });

      const [report] = (await service.core.jobs.fx.refresh(0)) ?? [];

      const { text } = await service.get('/fx/dates?from=1999-01-01&to=2026-12-31');
      const { dates } = JSON.parse(text) as { readonly dates: readonly string[] };
      const wrong: string[] = [];
      for (const day of series) {
        if ((await service.get(`/fx/${day[0]}`)).text !== bodyOf(day)) wrong.push(day[0]);
      }
      reportFigure(
        'R5',
        `${dates.length} of ${series.length} real days of the ECB published without an operator, ` +
          `${wrong.length} answered otherwise than digit for digit`,
      );
      expect(report).toMatchObject({ outcome: 'published', published: series.length });
      expect(dates.toSorted()).toEqual(series.map(([date]) => date).toSorted());
      expect(wrong).toEqual([]);
      expect(await listHeld(service.core.db)).toEqual([]);
    });
  },
);
