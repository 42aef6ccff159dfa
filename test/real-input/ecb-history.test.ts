import { beforeAll, describe, expect, it } from 'vitest';
import { ecb } from '../../src/fx/ecb/ecb.ts';
import { ecbDays } from '../../src/fx/ecb/calendar.ts';
import { EcbClient } from '../../src/fx/ecb/client.ts';
import { listMissing } from '../../src/fx/publishing/missing-currencies.ts';
import { planPublications } from '../../src/fx/publishing/plan.ts';
import { type FxSnapshot, printSnapshot } from '../../src/fx/snapshot.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { addDays, isoDate } from '../../src/platform/time/time.ts';
import { Upstream } from '../../src/platform/upstream/upstream.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { type EcbFileDay, printFile } from '../support/print-ecb-file.ts';
import { SettableClock } from '../support/settable-clock.ts';
import { hasCaptures, unlessAbsent } from './captures.ts';
import { bodyOf, readSeries } from './ecb-series.ts';

const metrics = createMetrics();
const today = isoDate('2026-04-13');

/** Reads the whole history with the real client from a server. */
async function fetchHistory(series: readonly EcbFileDay[]): Promise<readonly FxSnapshot[]> {
  const file = printFile(series);
  const url = await serveHttp((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/xml' }).end(file);
  });
  const upstream = new Upstream('ecb', { clock: new SettableClock(today), metrics });
  const retry = { attempts: 1, firstDelayMs: 1 };
  const client = new EcbClient(upstream, { folderUrl: url, retry });
  const { signal } = new AbortController();
  const answer = await client.fetchFile('history', { ifModifiedSince: undefined, signal });
  await upstream.close();
  return answer.kind === 'publications' ? answer.publications : [];
}

describe.skipIf(!hasCaptures)(
  `the real history of the ECB, 1999-01-04 to 2026-04-13${unlessAbsent}`,
  () => {
    let series: readonly EcbFileDay[] = [];
    beforeAll(() => {
      series = hasCaptures ? readSeries() : [];
    });

    it('is read with all digits, and passes the gate completely', async () => {
      const publications = await fetchHistory(series);
      const offers = publications.map((snapshot) => ({ snapshot, isFromHistory: true }));

      // As if the service had run since the first day: the limit of new currencies holds on all days.
      const planning = { series: ecb, today, begunOn: isoDate('1999-01-04') };
      const { accepted, doubted, corrected } = planPublications(offers, [], planning);

      expect(accepted.map(printSnapshot)).toEqual(series.map(bodyOf).toReversed());
      expect({ doubted, corrected }).toEqual({ doubted: [], corrected: [] });
      expect(accepted).toHaveLength(6_983);
      expect(accepted.reduce((sum, { rates }) => sum + rates.size, 0)).toBe(217_555);
      // On four days a currency is missing that did not become the euro (contract C19).
      expect(listMissing(publications)).toEqual([
        { date: '2005-01-03', currencies: ['TRL'] },
        { date: '2005-07-01', currencies: ['ROL'] },
        { date: '2008-12-10', currencies: ['ISK'] },
        { date: '2022-03-02', currencies: ['RUB'] },
      ]);
    });

    it('has exactly the days of the calendar (contract C18)', () => {
      const days: string[] = [];
      for (let day = isoDate('1998-12-01'); day <= today; day = addDays(day, 1)) {
        if (ecbDays.isPublicationDay(day)) days.push(day);
      }

      expect(days).toEqual(series.map(([date]) => date).toReversed());
    });
  },
);
