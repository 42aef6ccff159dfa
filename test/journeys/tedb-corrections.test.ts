import { describe, expect, it } from 'vitest';
import { isoDate } from '../../src/platform/time/time.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { liveDay } from './support/days.ts';
import { readTrouble } from './support/log-reader.ts';
import { changeRate, setTedbFault } from '../support/sandbox/scripts.ts';

const today = isoDate('2025-08-01');

describe('TEDB answers with other rates for a published date (contract C12)', () => {
  it('records and reports a correction, and does not change the published body', async () => {
    const service = await startToday();
    const before = await service.get(`/rates/${today}`);
    changeRate(service.scenario, 'HU', 'standard', ['26'], today);

    const reports = await service.core.jobs.rates.refreshTo(today, 0);

    expect(reports).toMatchObject([
      { outcome: 'unchanged', changes: 0, detail: '1 published values differ upstream by now' },
    ]);
    expect((await service.get(`/rates/${today}`)).text).toBe(before.text);
    expect(await readCorrections(service)).toMatchObject([
      { version: today, field: 'HU standard', stored: '27', upstream: '26' },
    ]);
    expect(readTrouble(service).map(({ level, msg }) => ({ level, msg }))).toEqual([
      { level: 'warn', msg: 'published rates corrected upstream' },
    ]);
  });

  it('records no correction if the answer is implausible', async () => {
    const service = await startToday();
    setTedbFault(service.scenario, 'zeroes');

    const reports = await service.core.jobs.rates.refreshTo(today, 0);

    expect(reports).toMatchObject([{ outcome: 'unchanged' }]);
    expect(reports?.[0]?.detail).toContain("the upstream's second answer is implausible");
    expect(await readCorrections(service)).toEqual([]);
  });
});

async function startToday(): Promise<TestService> {
  const service = await startService({ at: `${today}T05:00:00Z`, fxFrom: '2025-07-01' });
  await liveDay(service, today);
  return service;
}

async function readCorrections(service: TestService): Promise<unknown> {
  const { text } = await service.sendToOps('/status');
  type Status = { readonly dataSets: { readonly rates: { readonly corrections: unknown } } };
  return (JSON.parse(text) as Status).dataSets.rates.corrections;
}
