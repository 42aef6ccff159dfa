import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { correctPublication } from '../../src/fx/corrections.ts';
import { EcbClient } from '../../src/fx/ecb-client.ts';
import { FxRefresh } from '../../src/fx/refresh.ts';
import { fxSnapshots } from '../../src/fx/store.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { listCorrections } from '../../src/platform/publication/correction-store.ts';
import { Leases } from '../../src/platform/schedule/lease.ts';
import { RunLog } from '../../src/platform/schedule/run-log.ts';
import { isoDate, systemClock } from '../../src/platform/time.ts';
import { Upstream } from '../../src/platform/upstream/upstream.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { type EcbFileDay, printFile } from '../support/print-ecb-file.ts';
import { SettableClock } from '../support/settable-clock.ts';
import { openTemporaryDatabase } from '../support/temporary-database.ts';
import { hasCaptures, readCapture, unlessAbsent } from './captures.ts';
import { bodyOf, readSeries } from './ecb-series.ts';

const thursday = isoDate('2025-10-23');

/** The days of the real series between two dates, the newest first. */
function daysBetween(from: string, to: string): EcbFileDay[] {
  return readSeries().filter(([date]) => from <= date && date <= to);
}

/** The job on a database of its own, which reads the present content of `files`. */
async function openJob() {
  const files: Record<string, string | Uint8Array> = {};
  const folderUrl = await serveHttp((request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/xml' }).end(files[request.url ?? ''] ?? '');
  });
  const db = await openTemporaryDatabase();
  const clock = new SettableClock('2025-10-23T14:05:00Z');
  const metrics = createMetrics();
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const upstream = new Upstream('ecb', { clock, metrics });
  onTestFinished(async () => upstream.close());
  const ecb = new EcbClient(upstream, { folderUrl, retry: { attempts: 1, firstDelayMs: 1 } });
  const runs = new RunLog(db, { clock, log, metrics });
  const leases = new Leases(db, { clock: systemClock, holder: 'test' });
  const { signal } = new AbortController();
  const onPublished = async (): Promise<void> => {};
  const job = new FxRefresh({
    db,
    clock,
    log,
    gate: 'hold',
    ecb,
    runs,
    leases,
    onPublished,
    signal,
  });
  return { files, db, clock, lines, run: async () => (await job.refresh(0))?.[0] };
}

describe.skipIf(!hasCaptures)(
  `the real correction of NOK on 2025-10-23 (contract C20)${unlessAbsent}`,
  () => {
    it('is recorded without a change of the stored day, and applied by an operator', async () => {
      const { files, db, clock, lines, run } = await openJob();
      const [corrected = ['', {}]] = daysBetween(thursday, thursday);
      const asPublished: EcbFileDay = [thursday, { ...corrected[1], NOK: '11.8529' }];
      const until = printFile(daysBetween('2025-07-25', '2025-10-22'));
      files['/eurofxref-hist.xml'] = until;
      files['/eurofxref-hist-90d.xml'] = until;
      files['/eurofxref-daily.xml'] = printFile([asPublished]);

      expect(await run()).toMatchObject({ outcome: 'published', version: '2025-10-23' });
      expect(await fxSnapshots.findBody(db, thursday)).toBe(bodyOf(asPublished));

      clock.set('2025-10-24T14:05:00Z');
      files['/eurofxref-daily.xml'] = readCapture('ecb/eurofxref-daily_2025-10-24.xml');
      files['/eurofxref-hist-90d.xml'] = printFile(daysBetween('2025-07-28', '2025-10-24'));
      expect(await run()).toMatchObject({ outcome: 'published', version: '2025-10-24' });

      expect(await listCorrections(db)).toMatchObject([
        { kind: 'fx', version: '2025-10-23', field: 'NOK', stored: '11.8529', upstream: '11.5829' },
      ]);
      expect(await fxSnapshots.findBody(db, thursday)).toBe(bodyOf(asPublished));
      expect(lines.join('')).toContain('published exchange rate corrected upstream');

      await correctPublication(db, thursday, { at: '2025-10-27T15:01:00.000Z' });
      expect(await fxSnapshots.findBody(db, thursday)).toBe(bodyOf(corrected));
      expect(await run()).toMatchObject({ outcome: 'unchanged' });
      expect(await listCorrections(db)).toEqual([]);
    });
  },
);
