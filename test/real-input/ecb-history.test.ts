import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { KeyRecord } from '../../src/access/authentication/key-store.ts';
import { isPublicationDay } from '../../src/fx/calendar.ts';
import { EcbClient } from '../../src/fx/ecb-client.ts';
import { listMissing } from '../../src/fx/missing-currencies.ts';
import { planPublications } from '../../src/fx/plan.ts';
import { fxDataSet } from '../../src/fx/data-set.ts';
import type { FxSnapshot } from '../../src/fx/snapshot.ts';
import { findLatest, fxSnapshots, insertSnapshots } from '../../src/fx/store.ts';
import { createApp } from '../../src/platform/http/server/app.ts';
import { ResponseCache } from '../../src/platform/http/responses/response-cache.ts';
import { CachedRoutes } from '../../src/platform/http/routes/cached-routes.ts';
import { AccessLog } from '../../src/platform/http/server/access-log.ts';
import { PublishedSnapshots } from '../../src/platform/http/responses/published-snapshots.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { addSnapshotRoutes } from '../../src/platform/publication/routes.ts';
import { addDays, isoDate } from '../../src/platform/time.ts';
import { Upstream } from '../../src/platform/upstream/upstream.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { type EcbFileDay, printFile } from '../support/print-ecb-file.ts';
import { SettableClock } from '../support/settable-clock.ts';
import { openTemporaryDatabase } from '../support/temporary-database.ts';
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
  onTestFinished(async () => upstream.close());
  const retry = { attempts: 1, firstDelayMs: 1 };
  const client = new EcbClient(upstream, { folderUrl: url, retry });
  const { signal } = new AbortController();
  const answer = await client.fetchFile('history', { ifModifiedSince: undefined, signal });
  return answer.kind === 'publications' ? answer.publications : [];
}

describe.skipIf(!hasCaptures)(
  `the real history of the ECB, 1999-01-04 to 2026-04-13${unlessAbsent}`,
  () => {
    let series: readonly EcbFileDay[] = [];
    beforeAll(() => {
      series = hasCaptures ? readSeries() : [];
    });

    it('lacks a currency of the day before, without a change to the euro, on four days (contract C19)', async () => {
      expect(listMissing(await fetchHistory(series))).toEqual([
        { date: '2005-01-03', currencies: ['TRL'] },
        { date: '2005-07-01', currencies: ['ROL'] },
        { date: '2008-12-10', currencies: ['ISK'] },
        { date: '2022-03-02', currencies: ['RUB'] },
      ]);
    });

    it('is read with all digits, passes the gate completely, and is served without a change', async () => {
      const publications = await fetchHistory(series);
      const offers = publications.map((snapshot) => ({ snapshot, isFromHistory: true }));
      const { accepted, doubted, corrected } = planPublications(offers, [], today);
      const db = await openTemporaryDatabase();
      await db.transaction().execute(async (tx) => insertSnapshots(tx, accepted, today));
      const responseCache = new ResponseCache();
      const published = new PublishedSnapshots(
        {
          countWithdrawals: async () => 0,
          findLatest: async () => findLatest(db),
          findBody: async (date) => fxSnapshots.findBody(db, date),
        },
        responseCache,
      );
      await published.refresh();
      const log = createLog('silent', process.stderr);
      const app = await createApp({
        log,
        accessLog: new AccessLog({ log, requests: metrics.requests }),
        corsOrigins: [],
        trustedProxies: [],
        connections: { recognise: () => {}, isAnswering: () => false },
        guard: (request) => {
          request.apiKey = { scopes: ['read'] } as unknown as KeyRecord;
        },
        isDraining: () => false,
      });
      onTestFinished(async () => app.close());
      addSnapshotRoutes(fxDataSet, {
        db,
        published,
        cachedRoutes: new CachedRoutes({ app, charge: async () => {}, cache: responseCache }),
      });
      const get = async (url: string): Promise<string> => (await app.inject({ url })).body;

      const wrong: string[] = [];
      for (const day of series) {
        if ((await get(`/fx/${day[0]}`)) !== bodyOf(day)) wrong.push(day[0]);
      }

      expect(publications).toHaveLength(6_983);
      expect(publications.reduce((sum, { rates }) => sum + rates.size, 0)).toBe(217_555);
      expect({ doubted, corrected }).toEqual({ doubted: [], corrected: [] });
      expect(wrong).toEqual([]);
      expect(await get('/fx')).toBe(bodyOf(series[0] as EcbFileDay));
      expect(await get('/fx/2026-04-11')).toBe('{"error":"fx snapshot not found"}');
    });

    it('has exactly the days of the calendar (contract C18)', () => {
      const days: string[] = [];
      for (let day = isoDate('1998-12-01'); day <= today; day = addDays(day, 1)) {
        if (isPublicationDay(day)) days.push(day);
      }

      expect(days).toEqual(series.map(([date]) => date).toReversed());
    });
  },
);
