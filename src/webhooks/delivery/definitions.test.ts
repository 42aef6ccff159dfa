import { describe, expect, it } from 'vitest';
import { invalidField } from '../../platform/http/responses/api-errors.ts';
import { readAs } from '../../platform/http/routes/read-request.ts';
import { listOfDeliveries, printCursor } from './definitions.ts';

const readPage = (query: object) =>
  readAs(listOfDeliveries).read({ params: { id: 'sub_1f3c5e4fb2a1d0c9' }, query });

describe('the page of deliveries (contract C27)', () => {
  it('reads the cursor that it printed', () => {
    const after = { createdAt: '2026-11-20T16:00:00.123Z', id: 'dlv_0123456789abcdef' };

    expect(readPage({ cursor: printCursor(after) })).toMatchObject({ cursor: after });
  });

  const encode = (text: string): string => Buffer.from(text).toString('base64url');

  it.each<[what: string, cursor: unknown]>([
    ['empty', ''],
    ['a word', 'next'],
    ['given twice', [encode('2026-11-20T16:00:00.000Z dlv_00'), '']],
    ['an id alone', encode('dlv_00')],
    ['an instant alone', encode('2026-11-20T16:00:00.000Z ')],
    ['of another instant', encode('2026-11-20 dlv_00')],
    ['of another id', encode('2026-11-20T16:00:00.000Z sub_00')],
    ['with something before it', encode('x2026-11-20T16:00:00.000Z dlv_00')],
    ['with something after it', encode("2026-11-20T16:00:00.000Z dlv_00' or 1=1")],
  ])('refuses a cursor that is %s', (_what, cursor) => {
    expect(() => readPage({ cursor })).toThrow(
      invalidField('cursor', 'the nextCursor of the page before'),
    );
  });
});
