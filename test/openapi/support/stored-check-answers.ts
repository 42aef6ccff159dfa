import { describe, expect, it } from 'vitest';
import { addCaller } from '../../api/support/caller.ts';
import { austrian, postBatch, postCheck } from '../../vat-check/support/stored-checks-api.ts';
import type { Answer } from '../../support/send-request.ts';
import { shareService } from '../../support/start-service.ts';
import type { Judge } from './judge.ts';
import { listsOfChecks, newBatches, newChecks } from './questions.ts';

/** Tests of the answers about stored checks; `judge` remembers which were received. */
export function testStoredChecks(judge: Judge['judge']): void {
  describe('an answer about stored checks is as in openapi.json', () => {
    const service = shareService();
    const send = async (target: string, body?: object, headers = {}): Promise<Answer> =>
      service().sendRequest({
        method: body === undefined ? 'GET' : 'POST',
        path: target,
        headers: { authorization: `Bearer ${service().key}`, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });

    it.each(newChecks)('$status to POST $body', async ({ status, body, headers }) => {
      const answer = await send('/vatchecks', body, headers);

      expect(judge('POST', '/vatchecks', answer)).toEqual([status, []]);
    });

    it('403 to a requester that the key may not name', async () => {
      const caller = await addCaller(service(), { requester: 'NL854265259B01' });
      const requester = { countryCode: 'EL', vatNumber: '999999902' };
      const { answer } = await postCheck(caller, { ...austrian, requester });

      expect(judge('POST', '/vatchecks', answer)).toEqual([403, []]);
    });

    it.each([
      [200, '', 'U99999901'],
      [200, '?waitSeconds=1', 'U99999901'],
      [400, '?waitSeconds=11', 'U99999901'],
      // The registry refuses it.
      [200, '', '201'],
    ])('%i to one%s of number %s', async (status, query, vatNumber) => {
      const created = await send('/vatchecks', { countryCode: 'AT', vatNumber });
      const path = `${created.headers['location']}${query}`;

      expect(judge('GET', path, await send(path))).toEqual([status, []]);
    });

    it.each(listsOfChecks)('%i to %s', async (status, path) => {
      expect(judge('GET', path, await send(path))).toEqual([status, []]);
    });

    it('204 to a check that is deleted, and 404 to an unknown one', async () => {
      const created = await send('/vatchecks', { countryCode: 'AT', vatNumber: 'U99999901' });
      const path = String(created.headers['location']);
      const headers = { authorization: `Bearer ${service().key}` };
      for (const status of [204, 404]) {
        const answer = await service().sendRequest({ method: 'DELETE', path, headers });
        expect(judge('DELETE', path, answer)).toEqual([status, []]);
      }
    });

    it.each(newBatches)('$status to a batch $body', async ({ status, body, headers }) => {
      const type = typeof body === 'string' ? 'text/csv; charset=utf-8' : 'application/json';
      const { answer } = await postBatch(service(), body, { 'content-type': type, ...headers });

      expect(judge('POST', '/vatchecks/batch', answer)).toEqual([status, []]);
    });

    it('403 to a batch with a requester that the key may not name', async () => {
      const caller = await addCaller(service(), { requester: 'NL854265259B01' });
      const requester = { countryCode: 'EL', vatNumber: '999999902' };
      const { answer } = await postBatch(caller, {
        checks: [austrian, { ...austrian, requester }],
      });

      expect(judge('POST', '/vatchecks/batch', answer)).toEqual([403, []]);
    });

    it.each([
      [51, { rateLimit: 5 }],
      [600, { quota: 500 }],
    ])('413 to a batch of %i checks of a key with %j', async (count, limits) => {
      const caller = await addCaller(service(), limits);
      const checks = Array.from({ length: count }, () => austrian);
      const { answer } = await postBatch(caller, { checks });

      expect(judge('POST', '/vatchecks/batch', answer)).toEqual([413, []]);
    });

    it.each([
      [200, { checks: [austrian] }],
      [404, undefined],
    ])('%i to one batch', async (status, body) => {
      const id = body === undefined ? 'vb_0' : (await postBatch(service(), body)).batch.batchId;
      const path = `/vatchecks/batch/${id}`;

      expect(judge('GET', path, await send(path))).toEqual([status, []]);
    });

    it.each([
      [200, { countryCode: 'AT', vatNumber: 'U99999901' }],
      [409, { countryCode: 'IE', vatNumber: '301' }],
    ])('%i to the evidence of the check of %j', async (status, body) => {
      const created = await send('/vatchecks', body);
      const path = `${created.headers['location']}/evidence`;

      expect(judge('GET', path, await send(path))).toEqual([status, []]);
    });

    it.each(['', '/evidence'])('404 to an unknown one%s', async (below) => {
      const path = `/vatchecks/vc_${'0'.repeat(32)}${below}`;

      expect(judge('GET', path, await send(path))).toEqual([404, []]);
    });
  });
}
