import { describe, expect, it, onTestFinished } from 'vitest';
import { ecb } from '../../src/fx/ecb/ecb.ts';
import { EcbClient, type EcbFile } from '../../src/fx/ecb/client.ts';
import { ecbDays } from '../../src/fx/ecb/calendar.ts';
import { planPublications } from '../../src/fx/publishing/plan.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { Upstream } from '../../src/platform/upstream/upstream.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { SettableClock } from '../support/settable-clock.ts';
import { hasCaptures, readCapture, unlessAbsent } from './captures.ts';
import { readSeries } from './ecb-series.ts';

const metrics = createMetrics();

/** Reads a captured file with the real client, from a server that sends the headers of the ECB's CDN. */
async function fetchCapture(file: EcbFile, capture: string) {
  const url = await serveHttp((_request, response) => {
    response.writeHead(200, {
      Server: 'myracloud',
      'Content-Type': 'text/xml',
      'Last-Modified': 'Fri, 30 Jan 2026 14:56:32 GMT',
      'Content-Disposition': 'attachment;',
      Expires: 'Fri, 30 Jan 2026 06:25:48 GMT',
      'Cache-Control': 'max-age=300',
    });
    response.end(readCapture(`ecb/${capture}`));
  });
  const upstream = new Upstream('ecb', { clock: new SettableClock('2026-02-01'), metrics });
  onTestFinished(async () => upstream.close());
  const retry = { attempts: 1, firstDelayMs: 1 };
  const client = new EcbClient(upstream, { folderUrl: url, retry });
  const { signal } = new AbortController();
  const answer = await client.fetchFile(file, { ifModifiedSince: undefined, signal });
  if (answer.kind === 'unmodified') throw new Error('the file was not read');
  return answer;
}

describe.skipIf(!hasCaptures)(`the real files of the ECB${unlessAbsent}`, () => {
  it.each([
    ['daily', 'eurofxref-daily_2025-10-24.xml', 1, '2025-10-24', 30],
    ['daily', 'eurofxref-daily_2026-01-02.xml', 1, '2026-01-02', 29],
    ['ninetyDays', 'eurofxref-hist-90d_2026-01-30.xml', 62, '2026-01-30', 29],
  ] as const)(
    'have in the %s file %s the values of the history',
    async (file, capture, days, newest, currencies) => {
      const series = new Map(readSeries());

      const { publications, lastModified } = await fetchCapture(file, capture);

      expect(publications).toHaveLength(days);
      expect(publications.at(-1)?.date).toBe(newest);
      expect(publications.at(-1)?.rates.size).toBe(currencies);
      expect(lastModified).toBe('Fri, 30 Jan 2026 14:56:32 GMT');
      for (const { date, rates } of publications) {
        expect(Object.fromEntries(rates)).toEqual(series.get(date));
      }
    },
  );

  it('have every publication day in the 90-day file, and all days pass the gate', async () => {
    const { publications } = await fetchCapture('ninetyDays', 'eurofxref-hist-90d_2026-01-30.xml');
    const offers = publications.map((snapshot) => ({ snapshot, isFromHistory: true }));

    const plan = planPublications(offers, [], {
      series: ecb,
      today: isoDate('2026-01-30'),
      begunOn: isoDate('1999-01-04'),
    });

    expect(plan).toMatchObject({ accepted: publications, doubted: [], corrected: [] });
    expect(publications.every(({ date }) => ecbDays.isPublicationDay(date))).toBe(true);
    expect(publications[0]?.date).toBe('2025-11-03');
  });

  it('have no Bulgarian lev from the first day of 2026', async () => {
    const before = await fetchCapture('daily', 'eurofxref-daily_2025-10-24.xml');
    const after = await fetchCapture('daily', 'eurofxref-daily_2026-01-02.xml');
    const codes = ({ publications: [day] }: typeof before) => new Set<string>(day?.rates.keys());

    expect([...codes(before).difference(codes(after))]).toEqual(['BGN']);
    expect([...codes(after).difference(codes(before))]).toEqual([]);
  });
});
