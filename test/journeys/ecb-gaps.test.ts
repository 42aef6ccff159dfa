import { describe, expect, it } from 'vitest';
import { isPublicationDay } from '../../src/sandbox/ecb/calendar.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { databaseSettings } from '../support/temporary-database.ts';
import { datesFrom, fxMoment, liveDay } from './support/days.ts';
import { eventually } from '../support/eventually.ts';
import { readTrouble } from './support/log-reader.ts';
import { runVatfxForJson } from './support/run-vatfx.ts';
import { readFacts } from './support/stored-facts.ts';
import { correctFixing, setLateDays, setNow } from '../support/sandbox/scripts.ts';

/** A Thursday. */
const firstDay = '2025-07-31';

describe('a late publication (contract C18)', () => {
  it('is requested every few minutes, counted as missed, and published when it appears', async () => {
    const service = await startOn(firstDay);
    setLateDays(service.scenario, 1);
    const asked: string[] = [];
    for (const time of ['14:01', '14:02', '14:05', '14:06', '14:09', '15:00', '21:59', '22:30']) {
      service.sandbox.requests.clear();
      await service.liveAt(`2025-08-01T${time}:00Z`);
      if (service.sandbox.requests.of('ecb').length > 0) asked.push(time);
    }
    const late = await readFxStatus(service);

    await service.liveAt('2025-08-02T14:30:00Z');

    // Every three minutes until midnight in Frankfurt, then hourly.
    expect(asked).toEqual(['14:01', '14:05', '14:09', '15:00', '21:59']);
    expect(late).toMatchObject({ newestVersion: firstDay, publicationsMissed: 1 });
    expect(await readFxStatus(service)).toMatchObject({
      newestVersion: '2025-08-01',
      publicationsMissed: 0,
    });
    expect((await service.get('/fx/2025-08-02')).status).toBe(404);
  });
});

describe('a gap in the publications (contract C18)', () => {
  it.each([
    { gap: 'a week', lastDay: '2025-08-08', files: ['daily', 'hist-90d'] },
    { gap: 'over 90 days', lastDay: '2025-12-02', files: ['daily', 'hist-90d', 'hist'] },
  ])('is filled completely after $gap, from $files', async ({ lastDay, files }) => {
    const service = await startOn(firstDay);
    await service.restart();
    service.sandbox.requests.clear();

    setNow(service.scenario, fxMoment(lastDay));
    const [run] = (await service.core.jobs.fx.refresh(0)) ?? [];

    const missed = datesFrom('2025-08-01', lastDay).filter(isPublicationDay);
    const { fxDates } = await readFacts(service.core.db);
    expect(fxDates.filter((date) => date > firstDay)).toEqual(missed);
    expect(run).toMatchObject({ outcome: 'published', published: missed.length });
    expect(service.sandbox.requests.of('ecb').map(({ file }) => file)).toEqual(
      files.map((file) => `eurofxref-${file}.xml`),
    );
    for (const date of missed) {
      const answer = await service.get(`/fx/${date}`);
      expect(answer.status).toBe(200);
      expect(answer.headers['cache-control']).toContain('immutable');
    }
  });
});

describe('a correction by the ECB (contract C20)', () => {
  const corrected = '2025-07-30';

  it('is recorded and reported with one warning, and does not change the stored day', async () => {
    const service = await startOn(firstDay);
    const before = await service.get(`/fx/${corrected}`);
    const logged = service.logLines.length;
    correctFixing(service.scenario, corrected, 'NOK', '11.5829');

    await service.liveAt(fxMoment('2025-08-01'));
    await service.liveAt('2025-08-01T16:05:00Z');

    expect(await service.get(`/fx/${corrected}`)).toMatchObject({ text: before.text });
    expect(await readFxStatus(service)).toMatchObject({
      newestVersion: '2025-08-01',
      corrections: [{ version: corrected, field: 'NOK', upstream: '11.5829' }],
    });
    expect(readTrouble(service, logged).map(({ level, msg }) => ({ level, msg }))).toEqual([
      { level: 'warn', msg: 'published exchange rate corrected upstream' },
    ]);
  });

  it('is applied by `fx correct` beside the server within 2 s, and audited', async () => {
    const service = await startOn(firstDay);
    const before = await service.get(`/fx/${corrected}`);
    correctFixing(service.scenario, corrected, 'NOK', '11.5829');
    await service.liveAt(fxMoment('2025-08-01'));

    const done = await runVatfxForJson<{ note: string }>(['fx', 'correct', corrected], {
      ...databaseSettings(service.config.databaseUrl),
    });
    await eventually(async () =>
      (await service.get(`/fx/${corrected}`)).text.includes('"NOK":11.5829'),
    );

    expect(done.note).toContain('caches may hold the old body');
    const after = await service.get(`/fx/${corrected}`);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(after.text.replace(/"NOK":[0-9.]+/, '')).toBe(before.text.replace(/"NOK":[0-9.]+/, ''));
    expect(await readFxStatus(service)).toMatchObject({ corrections: [] });
    const audit = await service.core.db.selectFrom('audit').selectAll().execute();
    expect(audit.find(({ action }) => action === 'fx.correct')).toMatchObject({
      subject: corrected,
    });
  });
});

async function startOn(date: string): Promise<TestService> {
  const service = await startService({ at: `${date}T05:00:00Z`, fxFrom: '2025-05-02' });
  await liveDay(service, date);
  return service;
}

async function readFxStatus(service: TestService): Promise<unknown> {
  const { text } = await service.sendToOps('/status');
  return (JSON.parse(text) as { readonly dataSets: { readonly fx: unknown } }).dataSets.fx;
}
