import { describe, expect, it } from 'vitest';
import { isoDate } from '../../src/platform/time/time.ts';
import { startService, type StartOptions, type TestService } from '../support/start-service.ts';
import { databaseSettings } from '../support/temporary-database.ts';
import { liveDay, ratesMoment } from './support/days.ts';
import { boundOf, eventually } from '../support/eventually.ts';
import { readTrouble } from './support/log-reader.ts';
import { runVatfxForJson, type Environment, runVatfx } from './support/run-vatfx.ts';
import { readChanges, readFacts } from './support/stored-facts.ts';
import { changeRate, setNow } from '../support/sandbox/scripts.ts';

const yesterday = '2025-07-31';
/** The day on which Romania changes three rates and, in this test, Hungary one to an implausible value. */
const today = '2025-08-01';
const tomorrow = '2025-08-02';
const romania = [
  `${today} RO reduced[0] 5 → 11`,
  `${today} RO reduced[1] 9 → none`,
  `${today} RO standard 19 → 21`,
];
const hungary = `${today} HU standard 27 → 35`;

type Held = { readonly id: string; readonly kind: string; readonly version: string };

describe('a held rate snapshot (contract C15)', () => {
  it('is listed by `snapshots held` with the reasons, and served by no route', async () => {
    const service = await startDoubted();

    const held = await runVatfxForJson<Held[]>(['snapshots', 'held'], operator(service));

    expect(held).toEqual([
      {
        id: expect.stringMatching(/^held_/) as unknown,
        kind: 'rates',
        version: today,
        reasons: [
          'HU: standard rate 35, expected 15 to 30',
          'HU: standard rate 27 → 35, a move of more than 5 points',
        ],
        heldAt: ratesMoment(today),
        // A server whose clock is that of this machine queries later days.
        askedAgainAt: null,
      },
    ]);
    expect((await service.get('/rates')).text).toContain(`"version":"${yesterday}"`);
    expect((await service.sendToOps('/metrics')).text).toContain(
      'vatfx_held_snapshots{kind="rates"} 1',
    );
    expect(await readChanges(service.core.db)).toEqual([]);
  });

  it('is made of the answer of 1 July 2023, in which TEDB had zeroes for Spain', async () => {
    const service = await startService({ at: '2023-06-30T05:00:00Z', fxFrom: '2023-06-01' });
    await liveDay(service, '2023-06-30');

    await service.liveAt(ratesMoment('2023-07-01'));

    const [run] = await service.core.runs.list(1, 'rates');
    expect(run).toMatchObject({ outcome: 'held', version: '2023-07-01' });
    expect(run?.detail).toMatch(/: ES: all reduced rates are gone, they were 10$/);
  });

  it('is held once if the upstream repeats it, and replaced by a good answer for the same version', async () => {
    const service = await startDoubted();
    const [first] = await listHeld(service);
    await service.liveAt(`${today}T08:00:00Z`);
    expect(await listHeld(service)).toEqual([first]);

    changeRate(service.scenario, 'HU', 'standard', ['27'], today);
    await service.liveAt(`${today}T09:00:00Z`);

    expect(await listHeld(service)).toEqual([]);
    expect((await readFacts(service.core.db)).events).toEqual([today]);
    expect(await readChanges(service.core.db)).toEqual(romania);
  });
});

describe('`snapshots approve` (contract C8, C15)', () => {
  it('publishes the snapshot with rows and one event, and it is served within 2 s', async () => {
    const service = await startDoubted();
    const [held] = await listHeld(service);

    const run = await runVatfxForJson(['snapshots', 'approve', held?.id ?? ''], operator(service));
    await eventually(
      async () => (await service.get('/rates')).text.includes(today),
      boundOf(2_000),
    );

    expect(run).toMatchObject({ outcome: 'published', version: today, changes: 4 });
    const { changes } = JSON.parse((await service.get(`/changes/${today}`)).text) as {
      changes: { detectedAt: string }[];
    };
    expect(changes).toHaveLength(4);
    expect(new Set(changes.map(({ detectedAt }) => detectedAt)).size).toBe(1);
    expect(await readChanges(service.core.db)).toEqual([hungary, ...romania]);
    expect((await readFacts(service.core.db)).events).toEqual([today]);
    const audit = service.core.db.selectFrom('audit').select(['action', 'subject']);
    expect(await audit.where('action', 'like', 'snapshots.%').execute()).toEqual([
      { action: 'snapshots.approved', subject: held?.id },
    ]);
  });

  it('is refused after a newer version was published; the snapshot can only be rejected', async () => {
    const service = await startDoubted();
    await service.liveAt(ratesMoment(tomorrow));
    const [older, newer] = await listHeld(service);
    await runVatfxForJson(['snapshots', 'approve', newer?.id ?? ''], operator(service));

    const refused = await runVatfx(['snapshots', 'approve', older?.id ?? ''], operator(service));
    const left = await listHeld(service);
    await runVatfxForJson(['snapshots', 'reject', older?.id ?? ''], operator(service));

    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`a newer version, ${tomorrow}, has been published`);
    expect(left.map(({ version }) => version)).toEqual([today]);
    expect(await listHeld(service)).toEqual([]);
    expect((await readFacts(service.core.db)).versions).toEqual([yesterday, tomorrow]);
  });
});

describe('`snapshots reject` (contract C15)', () => {
  it('discards the snapshot permanently: the same content is not held again, and a plausible answer is published', async () => {
    const service = await startDoubted();
    const [held] = await listHeld(service);

    await runVatfxForJson(['snapshots', 'reject', held?.id ?? ''], operator(service));
    await service.liveAt(`${today}T08:00:00Z`);

    expect(await listHeld(service)).toEqual([]);
    const [run] = await service.core.runs.list(1, 'rates');
    expect(run).toMatchObject({ outcome: 'unchanged', version: today });
    expect(run?.detail).toContain(`the upstream repeats what was rejected as ${held?.id}`);
    expect((await readFacts(service.core.db)).versions).toEqual([yesterday]);

    changeRate(service.scenario, 'HU', 'standard', ['27'], today);
    await service.liveAt(`${today}T09:00:00Z`);
    expect(await readChanges(service.core.db)).toEqual(romania);
  });
});

describe('GATE=warn (contract C15)', () => {
  it('publishes an implausible document with a warning, and the run has the reason', async () => {
    const service = await startDoubted({ config: { ratesGate: 'warn' } });

    const [run] = await service.core.runs.list(1, 'rates');
    expect(run).toMatchObject({ outcome: 'published', version: today, changes: 4 });
    expect(run?.detail).toContain('published in spite of: HU: standard rate 35');
    expect(readTrouble(service).map(({ level, msg }) => ({ level, msg }))).toEqual([
      { level: 'warn', msg: 'implausible rate snapshot published' },
    ]);
    expect(await readChanges(service.core.db)).toEqual([hungary, ...romania]);
  });

  it('never publishes a date before the latest', async () => {
    const service = await startDoubted({ config: { ratesGate: 'warn' } });
    const before = await service.get('/rates');

    setNow(service.scenario, `${today}T09:00:00Z`);
    const reports = await service.core.jobs.rates.refreshTo(isoDate('2025-07-29'), 0);

    expect(reports).toMatchObject([{ outcome: 'held', version: '2025-07-29' }]);
    expect(reports?.[0]?.detail).toContain(`2025-07-29 is not newer than the latest, ${today}`);
    expect((await service.get('/rates')).text).toBe(before.text);
    expect((await readFacts(service.core.db)).versions).toEqual([yesterday, today]);
  });
});

async function startDoubted(options: StartOptions = {}): Promise<TestService> {
  const at = `${yesterday}T05:00:00Z`;
  const service = await startService({ at, fxFrom: '2025-07-01', ...options });
  changeRate(service.scenario, 'HU', 'standard', ['35'], today);
  await liveDay(service, yesterday);
  await service.liveAt(ratesMoment(today));
  return service;
}

async function listHeld(service: TestService): Promise<Held[]> {
  const { text } = await service.sendToOps('/status');
  type Status = { readonly dataSets: { readonly rates: { readonly held: Held[] } } };
  return (JSON.parse(text) as Status).dataSets.rates.held;
}

/** The environment of a command that works beside the server. */
function operator(service: TestService): Environment {
  return databaseSettings(service.config.databaseUrl);
}
