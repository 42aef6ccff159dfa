import { describe, expect, it } from 'vitest';
import { listHeld } from '../../src/platform/publication/held-store.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import type { Script } from '../../src/sandbox/scenario/script.ts';
import { setNow } from '../support/sandbox/scripts.ts';
import { shareService } from '../support/start-service.ts';
import { monday, run, start, statusOf, tableOf, world } from './support/bank-world.ts';

const notYet = 'fx rate not published yet';

describe('a bank that is away (rule N12)', () => {
  it('for a week changes nothing for the ECB, and catches up with its own dates', async () => {
    const service = await start({
      script: (s) => s.apply({ nbp: { fault: 'unavailable-503' } }),
      lived: [],
    });
    service.scenario.apply({ nbp: { fault: 'none' } });
    await service.liveAt(monday);
    service.scenario.apply({ nbp: { fault: 'unavailable-503' } });
    for (const day of [3, 4, 5, 6, 9]) await service.liveAt(`2026-03-0${day}T16:00:00Z`);

    expect(await statusOf(service, 'fx')).toMatchObject({
      newestVersion: '2026-03-09',
      publicationsMissed: 0,
    });
    expect(await statusOf(service, 'nbp')).toMatchObject({
      newestVersion: '2026-03-02',
      publicationsMissed: 5,
      lastRun: { outcome: 'failed', failure: 'unusable_answer' },
    });
    expect([await tableOf(service, '2026-03-02'), await tableOf(service, '2026-03-05')]).toEqual([
      '040',
      notYet,
    ]);

    service.scenario.apply({ nbp: { fault: 'none' } });
    await service.liveAt('2026-03-09T17:01:00Z');
    expect(await statusOf(service, 'nbp')).toMatchObject({
      newestVersion: '2026-03-09',
      publicationsMissed: 0,
    });
    expect(await tableOf(service, '2026-03-05')).toBe('043');
  });
});

describe('an answer of a bank that cannot be used', () => {
  const service = shareService({ ...world, lived: [monday] });

  it.each<
    [
      bank: 'nbp' | 'cnb',
      fault: NonNullable<NonNullable<Script['nbp']>['fault']>,
      failure: string,
      detail: string,
    ]
  >([
    ['nbp', 'html', 'unusable_answer', 'a web page instead of data'],
    ['cnb', 'html', 'unusable_answer', 'a web page instead of data'],
    ['nbp', 'truncated', 'unusable_answer', 'not JSON, or it is cut off'],
    ['cnb', 'truncated', 'unusable_answer', 'not JSON, or it is cut off'],
    ['cnb', 'reset', 'unusable_answer', 'ended before the answer did'],
    ['nbp', 'stray-byte', 'unusable_answer', 'not UTF-8'],
    ['nbp', 'empty-200', 'unusable_answer', 'without a body'],
    ['nbp', 'oversized', 'unusable_answer', 'more than 2000000 bytes'],
    ['cnb', 'oversized', 'unusable_answer', 'more than 4000000 bytes'],
    ['nbp', 'redirect', 'refused', 'set NBP_URL to the new address'],
    ['nbp', 'too-many-429', 'unusable_answer', 'a web page'],
    // The answers of an empty range and an empty year, although days of them are stored.
    ['nbp', 'no-publications', 'unusable_answer', 'none of the 21 publications'],
    ['cnb', 'no-publications', 'unusable_answer', 'none of the 21 publications'],
  ])(
    '%s with %s ends the run as failed, and proves nothing',
    async (bank, fault, failure, detail) => {
      setNow(service().scenario, '2026-03-04T09:00:00Z');
      service().scenario.apply({ [bank]: { fault } });
      const reports = await run(service(), bank);

      expect(reports).toMatchObject([
        { outcome: 'failed', failure, detail: expect.stringContaining(detail) },
      ]);
      expect((await statusOf(service(), bank)).newestVersion).toBe('2026-03-02');
      const country = bank === 'nbp' ? 'PL' : 'CZ';
      const answer = await service().get(`/fx/vat/2026-03-04?country=${country}&bank=${bank}`);
      expect(answer.status).toBe(404);
    },
  );
});

describe('an answer of a bank that proves nothing (rule N7)', () => {
  it('lacks a stored publication, and so shows no day without one', async () => {
    const service = await start({ lived: ['2026-03-05T15:00:00Z'] });
    const [lacking, closed] = [isoDate('2026-02-27'), isoDate('2026-03-06')];
    service.scenario.apply({ cnb: { missing: [lacking], closedDays: [closed] } });
    const ask = async () => (await service.get('/fx/vat/2026-03-06?country=CZ&bank=cnb')).text;
    const nights = ['2026-03-06T23:06:00Z', '2026-03-07T00:12:00Z', '2026-03-07T01:18:00Z'];
    for (const moment of nights.slice(0, 2)) await service.liveAt(moment);
    expect(await ask()).toContain(notYet);

    service.scenario.apply({ cnb: { missing: [] } });
    for (const moment of nights.slice(1)) {
      setNow(service.scenario, moment);
      await run(service, 'cnb');
    }
    expect(await ask()).toContain('"date":"2026-03-05"');
  });

  it('is empty in every year, and ends the first fill as failed', async () => {
    const service = await start({ lived: [] });
    service.scenario.apply({ cnb: { fault: 'no-publications' } });
    const reports = await run(service, 'cnb');

    expect(reports?.at(-1)).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('no publication since 2004-01-01; check CNB_URL'),
    });
  });
});

describe('a table number that is missing (rule N11)', () => {
  it('holds the tables after it until it is there, and no rate is guessed meanwhile', async () => {
    const service = await start();
    service.scenario.apply({ nbp: { missing: [isoDate('2026-03-03')] } });
    await service.liveAt('2026-03-03T23:00:00+01:00');
    await service.liveAt('2026-03-04T15:00:00Z');

    const [held, ...others] = await listHeld(service.core.db, 'nbp');
    expect([held?.version, held?.reasons, others]).toEqual([
      '2026-03-04',
      ['043/A/NBP/2026 does not follow 041/A/NBP/2026'],
      [],
    ]);
    expect(await tableOf(service, '2026-03-04')).toBe(notYet);
    expect(await tableOf(service, '2026-03-05')).toBe(notYet);

    service.scenario.apply({ nbp: { missing: [] } });
    await service.liveAt('2026-03-05T09:00:00Z');
    expect(await listHeld(service.core.db, 'nbp')).toEqual([]);
    expect(await tableOf(service, '2026-03-04')).toBe('042');
    expect(await tableOf(service, '2026-03-05')).toBe('043');
  });
});

describe('a bank that is late, or publishes nothing', () => {
  it('has its table found on the evening of its day', async () => {
    const service = await start();
    service.scenario.apply({ nbp: { fault: 'unavailable-503' } });
    await service.liveAt('2026-03-03T11:00:00Z');
    service.scenario.apply({ nbp: { fault: 'none' } });
    await service.liveAt('2026-03-03T21:00:00Z');

    expect(await statusOf(service, 'nbp')).toMatchObject({ newestVersion: '2026-03-03' });
  });

  it('keeps the fixings of December while the year has none', async () => {
    const at = '2026-12-31T15:00:00Z';
    const service = await start({ at, fxFrom: '2026-12-01', lived: [at] });
    for (const moment of ['2026-12-31T23:06:00Z', '2027-01-01T23:06:00Z'])
      await service.liveAt(moment);

    const { lastRun, newestVersion } = await statusOf(service, 'cnb');
    expect([newestVersion, lastRun.outcome]).toEqual(['2026-12-31', 'unchanged']);
    const answer = await service.get('/fx/vat/2027-01-01?country=CZ&bank=cnb');
    expect(answer.text).toContain('"date":"2026-12-31"');
    // The last table of the year is proved by an answer, and later by table 001.
    expect(await tableOf(service, '2027-01-02')).toBe('253');
    await service.liveAt('2027-01-04T15:00:00Z');
    expect(await tableOf(service, '2027-01-04')).toBe('253');
  });
});
