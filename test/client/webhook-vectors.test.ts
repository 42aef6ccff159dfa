import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../client/src/index.ts';
import { signWebhook } from '../../client/src/testing.ts';
import vectors from '../../client/vectors/webhook-signatures.json' with { type: 'json' };
import { eventTypes } from '../../src/events/event-types.ts';
import { prepareSecret, signBody } from '../../src/webhooks/signature.ts';
import { errorOf } from './support/client-of.ts';

type Vector = (typeof vectors)['signed'][number];
const { signed, receivedOnly, refused } = vectors;
const named = <V extends { readonly name: string }>(all: readonly V[]) =>
  all.map((vector) => [vector.name, vector] as const);

function headersOf({ id, timestampSeconds, signature }: Omit<Vector, 'secrets'>) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signature,
  };
}

describe('the vectors of webhooks (contract C28, C28a)', () => {
  it('have each event type and some that no version has', () => {
    const types = signed.flatMap(({ body }) => /"type":"([^"]+)"/.exec(body)?.[1] ?? []);
    const known = Object.keys(eventTypes);

    expect(types).toEqual(expect.arrayContaining(known));
    expect(types.filter((type) => !known.includes(type))).toHaveLength(3);
  });

  it.each(named([...signed, ...receivedOnly]))(
    '%s: the service and signWebhook make this signature',
    async (_name, vector) => {
      const { body, secrets, id, timestampSeconds } = vector;

      const { 'webhook-signature': made } = await signWebhook(body, secrets, {
        id,
        timestampSeconds,
      });
      const ofService = signed.includes(vector)
        ? signBody(secrets.map(prepareSecret), vector)
        : made;

      expect(ofService).toBe(made);
      expect(vector.signature.split(' ')).toEqual(expect.arrayContaining(made.split(' ')));
    },
  );

  it.each(named<Vector & { readonly nowSeconds?: number }>([...signed, ...receivedOnly]))(
    '%s: the client verifies it with each of its secrets, from text and from bytes',
    async (_name, vector) => {
      const now = (vector.nowSeconds ?? vector.timestampSeconds) * 1_000;
      const bodies = [vector.body, new TextEncoder().encode(vector.body)];
      const isEvent = vector.body.includes('"type":');

      for (const secret of vector.secrets) {
        for (const body of bodies) {
          const call = verifyWebhook(body, headersOf(vector), secret, { now });
          // A correct signature of a body that is not an event is another error than a wrong signature.
          const outcome = isEvent ? await call : await errorOf(call);
          expect(outcome).toMatchObject(
            isEvent ? { id: vector.id } : { problem: 'unreadableBody' },
          );
        }
      }
    },
  );

  it.each(named<Refused>(refused))('%s: the client refuses it', async (_name, vector) => {
    const { timestampSeconds, timestamp = String(timestampSeconds), secrets, body } = vector;
    const now = (vector.nowSeconds ?? timestampSeconds) * 1_000;
    const headers = { ...headersOf(vector), 'webhook-timestamp': timestamp };

    expect(await errorOf(verifyWebhook(body, headers, secrets, { now }))).toMatchObject({
      name: 'SignatureError',
      problem: expect.not.stringMatching('unreadableBody'),
    });
  });
});

type Refused = Vector & { readonly timestamp?: string; readonly nowSeconds?: number };
