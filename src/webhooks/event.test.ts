import { describe, expect, it } from 'vitest';
import { printRatesChanged, printTest } from './event.ts';

const at = '2026-11-20T07:00:03.000Z';

describe('printRatesChanged (contract C28)', () => {
  const event = { id: 'evt_1', type: 'rates.changed', at, snapshotDate: '2026-11-20' } as const;

  it('prints the fields in their order, with the rows that it is given', () => {
    const body = printRatesChanged(event, { json: '[{"id":"a"},{"id":"b"}]', count: 2 });

    expect(body).toBe(
      `{"type":"rates.changed","timestamp":"${at}","snapshotDate":"2026-11-20",` +
        '"changes":[{"id":"a"},{"id":"b"}],"count":2}',
    );
  });

  it('keeps the text of the rows to the byte', () => {
    const json = '[ {"new":1.10,"old":1e2,\t"country":"\\u00c5"} ]';

    const body = printRatesChanged(event, { json, count: 1 });

    expect(body).toContain(`"changes":${json},"count":1}`);
  });
});

describe('printTest (contract C27)', () => {
  it('prints the form of the real event, about nothing', () => {
    const body = printTest({ id: 'evt_2', type: 'webhook.test', at, snapshotDate: null });

    expect(body).toBe(
      `{"type":"webhook.test","timestamp":"${at}","snapshotDate":null,"changes":[],"count":0}`,
    );
  });
});
