import { describe, expect, it } from 'vitest';
import { memberStates } from '../../src/rates/member-states.ts';
import type { Scenario } from '../../src/sandbox/scenario/scenario.ts';
import { shareService, startService } from '../support/start-service.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

const wednesday = '2026-11-18T16:00:00Z';
const thursday = '2026-11-19T16:00:00Z';
const friday = '2026-11-20T16:00:00Z';

type Row = {
  readonly id: string;
  readonly snapshotDate: string;
  readonly country: string;
  readonly field: string;
  readonly old: number | null;
  readonly new: number | null;
  readonly detectedAt: string;
};
type List = { readonly changes: readonly Row[]; readonly count: number; readonly limit: number };

function parse(text: string): List {
  return JSON.parse(text) as List;
}

/** The rows in short form: `2026-11-19 HU standard 27→25`. */
function summarise(text: string): readonly string[] {
  return parse(text).changes.map(
    (row) => `${row.snapshotDate} ${row.country} ${row.field} ${row.old}→${row.new}`,
  );
}

/** Rates of Hungary, Austria and Greece change on Thursday, those of Sweden and Austria on Friday. */
function script(scenario: Scenario): void {
  changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-19');
  changeRate(scenario, 'HU', 'reduced', ['5', '12', '18'], '2026-11-19');
  changeRate(scenario, 'AT', 'super_reduced', [], '2026-11-19');
  changeRate(scenario, 'EL', 'parking', ['12.5'], '2026-11-19');
  changeRate(scenario, 'SE', 'standard', ['24'], '2026-11-20');
  changeRate(scenario, 'AT', 'standard', ['19'], '2026-11-20');
}

const thursdaysRows = [
  '2026-11-19 AT super_reduced 4.9→null',
  '2026-11-19 GR parking 13→12.5',
  '2026-11-19 HU reduced[1] 18→12',
  '2026-11-19 HU reduced[2] null→18',
  '2026-11-19 HU standard 27→25',
];
const fridaysRows = ['2026-11-20 AT standard 20→19', '2026-11-20 SE standard 25→24'];

const lived = [wednesday, thursday, friday];

/** The service of tests that only read. */
const withChanges = shareService({ script, lived });

describe('GET /changes (interface 4.2)', () => {
  it.each([[[]], [[friday]]])('answers an empty list after runs at %j', async (own) => {
    const service = await startService({ lived: own });

    const { status, text } = await service.get('/changes');

    expect([status, text]).toEqual([200, '{"changes":[],"count":0,"limit":50}']);
  });

  it('lists the newest detection first, then by country, then by field', async () => {
    const { text } = await withChanges().get('/changes');

    expect(summarise(text)).toEqual([...fridaysRows, ...thursdaysRows]);
  });

  it('lists several days that one run has published by country and field', async () => {
    const service = await startService({ script, lived: [wednesday, friday] });

    const { text } = await service.get('/changes');

    expect(summarise(text)).toEqual([
      '2026-11-20 AT standard 20→19',
      '2026-11-19 AT super_reduced 4.9→null',
      '2026-11-19 GR parking 13→12.5',
      '2026-11-19 HU reduced[1] 18→12',
      '2026-11-19 HU reduced[2] null→18',
      '2026-11-19 HU standard 27→25',
      '2026-11-20 SE standard 25→24',
    ]);
  });

  it.each([
    ['since=2026-11-19', 7],
    ['since=2026-11-20', 2],
    ['since=2026-11-21', 0],
    ['since=9999-12-31', 0],
    ['country=HU', 3],
    ['country=SE', 1],
    ['since=2026-11-20&country=AT', 1],
    ['since=2026-11-19&country=AT&limit=1', 1],
  ])('with ?%s answers %i rows', async (query, count) => {
    const list = parse((await withChanges().get(`/changes?${query}`)).text);

    expect([list.changes.length, list.count]).toEqual([count, count]);
  });

  it('answers the first rows of the list up to the limit', async () => {
    const { text } = await withChanges().get('/changes?limit=3');

    expect(summarise(text)).toEqual([...fridaysRows, ...thursdaysRows].slice(0, 3));
  });

  it('answers 50 rows without a limit, and never more than 200', async () => {
    const service = await startService({ config: { ratesGate: 'warn' } });
    for (let day = 10; day <= 18; day += 1) {
      for (const { registryCode } of memberStates) {
        const standard = day % 2 === 0 ? '20' : '21';
        changeRate(service.scenario, registryCode, 'standard', [standard], `2026-11-${day}`);
      }
      await service.liveAt(`2026-11-${day}T16:00:00Z`);
    }

    const byDefault = parse((await service.get('/changes')).text);
    const all = parse((await service.get('/changes?limit=1000')).text);

    expect([byDefault.changes.length, byDefault.count, byDefault.limit]).toEqual([50, 50, 50]);
    expect([all.changes.length, all.count, all.limit]).toEqual([200, 200, 200]);
  });
});

describe('a rate change row (interface 2.2)', () => {
  it('has the moment of the run, and the upstream’s decimals (contract C11)', async () => {
    const service = await startService({
      script: (scenario) => {
        changeRate(scenario, 'HU', 'standard', ['25.10'], '2026-11-19');
        changeRate(scenario, 'FR', 'standard', ['19.999999999999999'], '2026-11-19');
      },
      lived: [wednesday, '2026-11-19T22:59:59.123Z'],
    });

    const { text } = await service.get('/changes');

    expect(text).toContain('"old":20,"new":19.999999999999999,');
    expect(text).toContain('"old":27,"new":25.1,"detectedAt":"2026-11-19T22:59:59.123Z"');
  });

  it('has the same id in every installation, and after a restart (contract C16)', async () => {
    const other = await startService({ script, lived });
    const idsOf = (text: string) => parse(text).changes.map(({ id }) => id);

    const ids = idsOf((await withChanges().get('/changes')).text);
    const { text } = await other.get('/changes');
    await other.restart();

    expect(new Set(ids).size).toBe(7);
    expect(idsOf(text)).toEqual(ids);
    expect((await other.get('/changes')).text).toBe(text);
  });

  it('does not exist for the first snapshot ever (contract C16)', async () => {
    const service = await startService({ script, lived: [thursday] });

    expect(parse((await service.get('/changes')).text).changes).toEqual([]);
  });
});
