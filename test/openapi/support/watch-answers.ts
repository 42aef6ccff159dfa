import { describe, expect, it } from 'vitest';
import { createId } from '../../../src/vat-check/stored/ids.ts';
import { watchesMax } from '../../../src/vat-check/watches/watch-store.ts';
import { addCaller } from '../../api/support/caller.ts';
import { shareService } from '../../support/start-service.ts';
import type { Judge } from './judge.ts';

const number = '/vatwatches/AT/U99999901';
const impossible = '/vatwatches/GB/1';
const requester = { countryCode: 'NL', vatNumber: '854265259B01' };

type Call = readonly [status: number, method: string, path: string, body?: object];

/** Calls about watches of one key, in the order in which they are made. */
const calls: readonly Call[] = [
  [201, 'PUT', number],
  [200, 'PUT', number, { everyDays: 7, requester, trader: { name: 'X' }, reference: 'r' }],
  [400, 'PUT', number, { everyDays: 0 }],
  [400, 'PUT', number, { colour: 'red' }],
  [400, 'PUT', number, []],
  [422, 'PUT', impossible],
  [200, 'GET', number],
  [422, 'GET', impossible],
  [404, 'GET', '/vatwatches/AT/U99999902'],
  [400, 'GET', `${number}?registry=tedb`],
  [400, 'DELETE', `${number}?registry=tedb`],
  [200, 'GET', '/vatwatches'],
  [400, 'GET', '/vatwatches?limit=0'],
  [400, 'GET', '/vatwatches?cursor=x'],
  [204, 'DELETE', number],
  [404, 'DELETE', number],
  [422, 'DELETE', impossible],
];

/** Tests of the answers about watches; `judge` remembers which were received. */
export function testWatches(judge: Judge['judge']): void {
  describe('an answer about watches is as in openapi.json', () => {
    const service = shareService();

    it('in a series of calls', async () => {
      const caller = await addCaller(service());
      for (const [status, method, path, body] of calls) {
        const answer = await caller.sendRequest({
          method,
          path,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });

        expect([method, path, judge(method, path, answer)]).toEqual([method, path, [status, []]]);
      }
    });

    it('403 to a requester that the key may not name', async () => {
      const caller = await addCaller(service(), { requester: 'EL999999902' });
      const body = JSON.stringify({ requester });

      const answer = await caller.sendRequest({ method: 'PUT', path: number, body });

      expect(judge('PUT', number, answer)).toEqual([403, []]);
    });

    it('409 to a watch more than a key may have', async () => {
      const caller = await addCaller(service());
      const { db } = service().core;
      const later = '2027-01-01T00:00:00.000Z';
      const row = {
        key_id: caller.id,
        country_code: 'DE',
        vat_number: '1',
        registry_code: 'DE',
        hint: null,
        every_days: 90,
        trader: '{}',
        due_at: later,
        slot_at: later,
        created_at: later,
      };
      await db.transaction().execute(async (tx) => {
        for (let from = 0; from < watchesMax; from += 1_000) {
          const rows = Array.from({ length: 1_000 }, (_, n) => {
            return { ...row, id: createId('vw', from, n), number: `${from + n}` };
          });
          await tx.insertInto('vat_watches').values(rows).execute();
        }
      });

      const answer = await caller.sendRequest({ method: 'PUT', path: number });

      expect(judge('PUT', number, answer)).toEqual([409, []]);
    });
  });
}
