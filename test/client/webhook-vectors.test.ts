import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../client/src/index.ts';
import { signWebhook } from '../../client/src/testing.ts';
import { prepareSecret, signBody } from '../../src/webhooks/signature.ts';
import { errorOf } from './support/client-of.ts';

/** One signature of the file that the service and the client are both tested with. */
type Vector = {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
  readonly signature: string;
};
const file = new URL('../../client/vectors/webhook-signatures.json', import.meta.url);
const { signed, receivedOnly } = JSON.parse(readFileSync(file, 'utf8')) as Readonly<
  Record<'signed' | 'receivedOnly', readonly Vector[]>
>;
const named = (vectors: readonly Vector[]) =>
  vectors.map((vector) => [vector.name, vector] as const);

function headersOf({ id, timestampSeconds, signature }: Vector): Readonly<Record<string, string>> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signature,
  };
}

describe('the vectors of the signature (contract C28)', () => {
  it('are 7 for both, and 1 that only a client needs', () => {
    expect([signed.length, receivedOnly.length]).toEqual([7, 1]);
  });

  it.each(named([...signed, ...receivedOnly]))(
    '%s: the service and signWebhook make this signature',
    async (_name, vector) => {
      const { body, secrets, ...options } = vector;

      expect(await signWebhook(body, secrets, options)).toMatchObject(headersOf(vector));
      const isOfService = signed.includes(vector);
      const made = isOfService ? signBody(secrets.map(prepareSecret), vector) : vector.signature;
      expect(made).toBe(vector.signature);
    },
  );

  it.each(named([...signed, ...receivedOnly]))(
    '%s: the client verifies it with each of its secrets, from text and from bytes',
    async (_name, vector) => {
      const now = vector.timestampSeconds * 1_000;
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
});
