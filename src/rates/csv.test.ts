import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anySnapshot } from '../../test/support/arbitraries.ts';
import { parseCsv } from '../../test/support/parse-csv.ts';
import { printCsv } from '../platform/csv.ts';
import { parseExactJson } from '../platform/exact-json.ts';
import { isoDate } from '../platform/time.ts';
import { changesTable, ratesTable } from './csv.ts';
import { printSnapshot } from './snapshot.ts';

describe('ratesTable (contract C36)', () => {
  it('prints these bytes for ever, because callers keep the CSV of a date as immutable (contract C8)', () => {
    const body = printSnapshot(
      {
        version: isoDate('2022-06-01'),
        entries: [
          {
            country: 'FR' as never,
            standard: '20',
            reduced: ['5.5', '10'],
            superReduced: '2.1',
            parking: undefined,
          },
          {
            country: 'HR' as never,
            standard: '25',
            reduced: [],
            superReduced: undefined,
            parking: '12',
          },
        ],
      },
      'https://flags.example',
    );

    expect(printCsv(ratesTable(body))).toBe(
      'country,name,currency,standard,reduced,super_reduced,parking,version\r\n' +
        'FR,France,EUR,20,5.5 10,2.1,,2022-06-01\r\n' +
        'HR,Croatia,HRK,25,,,12,2022-06-01\r\n',
    );
  });

  it('has the values of the JSON, digit for digit and in its order', () => {
    fc.assert(
      fc.property(anySnapshot, (snapshot) => {
        const body = printSnapshot(snapshot, 'https://flags.example');
        const { rates } = parseExactJson(body) as {
          rates: Record<string, Record<string, string | string[] | null>>;
        };

        const [headings = [], ...rows] = parseCsv(printCsv(ratesTable(body)));

        expect(rows.map(([code]) => code)).toEqual(Object.keys(rates));
        for (const row of rows) {
          const cells = Object.fromEntries(headings.map((heading, at) => [heading, row[at]]));
          const entry = rates[cells['country'] ?? ''] ?? {};
          expect(cells).toEqual({
            country: row[0],
            name: entry['country'],
            currency: entry['currency'],
            standard: entry['standard'],
            reduced: (entry['reduced'] as string[]).join(' '),
            super_reduced: entry['super_reduced'] ?? '',
            parking: entry['parking'] ?? '',
            version: snapshot.version,
          });
        }
      }),
    );
  });
});

describe('changesTable (contract C36)', () => {
  const change = {
    id: 'rc_1',
    snapshotDate: isoDate('2026-11-20'),
    country: 'HU',
    field: 'reduced[1]',
    old: '18',
    new: '0.1000000000000000055',
    detectedAt: '2026-11-20T07:00:03.000Z',
  };

  it('prints these bytes for ever, because callers keep the CSV of a date as immutable (contract C8)', () => {
    const text = printCsv(changesTable([change, { ...change, old: null }]));

    expect(text).toBe(
      'id,snapshotDate,country,field,old,new,detectedAt\r\n' +
        'rc_1,2026-11-20,HU,reduced[1],18,0.1000000000000000055,2026-11-20T07:00:03.000Z\r\n' +
        'rc_1,2026-11-20,HU,reduced[1],,0.1000000000000000055,2026-11-20T07:00:03.000Z\r\n',
    );
  });

  it('has only headings if nothing changed', () => {
    expect(printCsv(changesTable([]))).toBe('id,snapshotDate,country,field,old,new,detectedAt\r\n');
  });
});
