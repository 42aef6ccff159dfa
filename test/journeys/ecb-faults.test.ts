import { describe, expect, it } from 'vitest';
import type { Script } from '../../src/sandbox/scenario/script.ts';
import { fixingsOn } from '../../src/sandbox/ecb/series.ts';
import { isoDate } from '../../src/platform/time.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { fxMoment, liveDay } from './support/days.ts';
import { expectOneLine, readTrouble } from './support/log-reader.ts';
import { readFacts } from './support/stored-facts.ts';
import { correctFixing } from '../support/sandbox/scripts.ts';

/** A Thursday and a Friday. */
const yesterday = '2025-07-31';
const today = isoDate('2025-08-01');
const anHourLater = `${today}T15:05:00Z`;
const dollarToday = fixingsOn(today).find(({ currency }) => currency === 'USD')?.value ?? '';

type Fault = {
  readonly file: string;
  readonly ecb: NonNullable<Script['ecb']>;
  readonly outcome: 'failed' | 'held';
  readonly reason: string;
};

const broken: readonly Omit<Fault, 'outcome'>[] = [
  { file: 'a 503', ecb: { fault: 'unavailable-503' }, reason: 'HTTP 503 with a web page' },
  { file: 'half of it', ecb: { fault: 'truncated' }, reason: 'ended before its document did' },
  { file: '128 MB', ecb: { fault: 'oversized' }, reason: 'more than 100000 bytes' },
];

const implausible: readonly Omit<Fault, 'outcome'>[] = [
  {
    file: 'yesterday’s values',
    ecb: { fault: 'frozen' },
    reason: 'values are those of 2025-07-31',
  },
  {
    file: 'four currencies less',
    ecb: { missing: ['USD', 'JPY', 'CZK', 'DKK'] },
    reason: '4 currencies are gone (CZK, DKK, JPY, USD)',
  },
];

const faults: readonly Fault[] = [
  ...broken.map((fault) => ({ ...fault, outcome: 'failed' as const })),
  ...implausible.map((fault) => ({ ...fault, outcome: 'held' as const })),
];

describe.each(faults)('the ECB answers with $file (contract C19)', (fault) => {
  it('publishes nothing and reports the reason three times, and publishes the day in the next good run', async () => {
    const service = await startYesterday();
    const before = await service.get('/fx');
    const logged = service.logLines.length;
    service.scenario.apply({ ecb: fault.ecb });

    await service.liveAt(fxMoment(today));

    const { text, headers } = await service.get('/fx');
    expect({ text, etag: headers.etag }).toEqual({ text: before.text, etag: before.headers.etag });
    expect((await service.get(`/fx/${today}`)).status).toBe(404);
    expect(await readDates(service)).not.toContain(today);
    const [run] = await service.core.runs.list(1, 'fx');
    expect(run).toMatchObject({ outcome: fault.outcome, published: 0 });
    expect(run?.detail).toContain(fault.reason);
    const { fx } = await readStatus(service);
    expect(fx).toMatchObject({ lastRun: run, newestVersion: yesterday, publicationsMissed: 1 });
    expectOneLine(readTrouble(service, logged), fault.reason);

    heal(service);
    await service.liveAt(anHourLater);
    expect(await readDates(service)).toEqual(expect.arrayContaining([yesterday, today]));
    const later = (await service.get(`/fx/${today}`)).text;
    expect(JSON.parse(later)).toMatchObject({ date: today, rates: { USD: Number(dollarToday) } });
    expect((await service.get('/fx')).text).toBe(later);
  });
});

async function startYesterday(): Promise<TestService> {
  const service = await startService({ at: `${yesterday}T05:00:00Z`, fxFrom: '2025-07-01' });
  await liveDay(service, yesterday);
  return service;
}

/** Replaces the files of the ECB with good ones. */
function heal(service: TestService): void {
  correctFixing(service.scenario, today, 'USD', dollarToday);
  service.scenario.apply({ ecb: { fault: 'none', missing: [] } });
}

async function readDates(service: TestService): Promise<readonly string[]> {
  return (await readFacts(service.core.db)).fxDates;
}

async function readStatus(service: TestService): Promise<{ readonly fx: unknown }> {
  const { text } = await service.sendToOps('/status');
  return (JSON.parse(text) as { readonly dataSets: { readonly fx: unknown } }).dataSets;
}
