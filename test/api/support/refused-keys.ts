import { formatApiKey } from '../../../src/access/authentication/api-key.ts';
import { revokeKey, rotateKey } from '../../../src/access/authentication/key-changes.ts';
import { formatInstant } from '../../../src/platform/time/time.ts';
import type { TestRequest } from '../../support/send-request.ts';
import type { TestService } from '../../support/start-service.ts';
import { addCaller } from './caller.ts';

/** A well-formed key that was never created. */
export const unknownKey = formatApiKey(new Uint8Array(32).fill(7));

/** A mistyped key: its checksum is wrong. */
const badChecksum = `${unknownKey.slice(0, -6)}000000`;

/** The reasons why a key is refused, in the words of the log. */
export const refusedReasons = [
  'missing',
  'malformed',
  'unknown',
  'expired',
  'revoked',
  'rotated',
] as const;

export type RefusedReason = (typeof refusedReasons)[number];

/** Headers of a request whose key is refused, and the id of the key as the log has it: null if there is none. */
export type Refused = {
  readonly keyId: string | null;
  readonly headers: Readonly<Record<string, string>>;
};

/** Makes a key that is refused for a reason. */
export async function addRefused(service: TestService, reason: RefusedReason): Promise<Refused> {
  const { db, clock } = service.core;
  const at = formatInstant(clock.now());
  switch (reason) {
    case 'missing':
      return { keyId: null, headers: {} };
    case 'malformed':
      return { keyId: null, headers: { authorization: `Bearer ${badChecksum}` } };
    case 'unknown':
      return { keyId: null, headers: { authorization: `Bearer ${unknownKey}` } };
    case 'expired':
      return sentWith(await addCaller(service, { expiresAt: at }));
    case 'revoked': {
      const caller = await addCaller(service);
      await revokeKey(db, caller.id, { at });
      return sentWith(caller);
    }
    case 'rotated': {
      const caller = await addCaller(service);
      await rotateKey(db, caller.id, { overlapEndsAt: at, at });
      return sentWith(caller);
    }
  }
}

function sentWith({ id, key }: { readonly id: string; readonly key: string }): Refused {
  return { keyId: id, headers: { authorization: `Bearer ${key}` } };
}

/** Sends `times` requests without a valid key; returns the statuses. */
export async function fail(
  service: TestService,
  times: number,
  headers: NonNullable<TestRequest['headers']> = {},
): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < times) {
    statuses.push((await service.sendRequest({ path: '/rates', headers })).status);
  }
  return statuses;
}
