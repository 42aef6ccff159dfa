import { createHmac } from 'node:crypto';
import { testSecret } from '../../../client/src/testing.ts';
import vectors from '../../../client/vectors/webhook-signatures.json' with { type: 'json' };

/** The parts of a delivery that are signed. */
type Parts = { readonly id: string; readonly timestampSeconds: number; readonly body: string };

type Vector = Parts & {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly signature: string;
  /** The header `webhook-timestamp`, if it is not `timestampSeconds`. */
  readonly timestamp?: string;
  /** The receiver's time; `timestampSeconds` if it is absent. */
  readonly nowSeconds?: number;
  /** What was signed instead of the parts that are sent. */
  readonly signed?: Partial<Parts> & { readonly secret?: string };
};

const { signed, receivedOnly, refused } = vectors;
/** Each vector, and whether a receiver accepts it. */
const all: readonly { readonly vector: Vector; readonly isSigned: boolean }[] = [
  ...[...signed, ...receivedOnly].map((vector) => ({ vector, isSigned: true })),
  ...refused.map((vector) => ({ vector, isSigned: false })),
];

/** A call of the function that verifies: the line that a driver reads, and what it has to answer. */
export type Case = { readonly name: string; readonly line: string; readonly isSigned: boolean };

/** The vectors with each of their secrets, and forged deliveries to receivers with unusable secrets. */
export const cases: readonly Case[] = [
  ...all,
  ...vectors.unusableSecrets.map(({ secret, ...vector }) => ({
    vector: { ...vector, secrets: [secret] },
    isSigned: false,
  })),
].flatMap(({ vector, isSigned }) =>
  vector.secrets.map((secret) => ({
    name: vector.name,
    line: printLine(vector, secret),
    isSigned,
  })),
);

function printLine(vector: Vector, secret: string): string {
  const { id, timestampSeconds, signature, body } = vector;
  const { timestamp = String(timestampSeconds), nowSeconds = timestampSeconds } = vector;
  const bytes = Buffer.from(body).toString('base64');
  return `${[secret, id, timestamp, signature, bytes, nowSeconds].join('\t')}\n`;
}

/** A request to a receiver, and the status that it has to answer. */
export type Delivery = {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
};

/** The vectors that are events, as they would be sent now to a receiver that has `testSecret`. */
export function makeDeliveries(): readonly Delivery[] {
  return all
    .filter(({ vector }) => vector.body.includes('"type":') && isLasting(vector))
    .map(({ vector, isSigned }) => ({
      name: vector.name,
      headers: moveToNow(vector),
      body: vector.body,
      status: isSigned ? 204 : 401,
    }));
}

/** Whether a receiver judges it in the same way a minute later. */
function isLasting({ timestampSeconds, nowSeconds = timestampSeconds }: Vector): boolean {
  const lateSeconds = nowSeconds - timestampSeconds;
  return lateSeconds > 300 || (lateSeconds < 240 && lateSeconds >= -300) || lateSeconds < -360;
}

/** Signs the same parts again, at the same distance from the receiver's time. */
function moveToNow(vector: Vector): Readonly<Record<string, string>> {
  const { id, timestampSeconds, body, signature, signed: instead = {}, secrets } = vector;
  const { timestamp = String(timestampSeconds), nowSeconds = timestampSeconds } = vector;
  const laterSeconds = Math.floor(Date.now() / 1_000) - nowSeconds;
  const parts = { id, timestampSeconds, body, ...instead };
  const before = sign(instead.secret ?? secrets[0] ?? '', parts);
  const after = sign(instead.secret ?? testSecret, {
    ...parts,
    timestampSeconds: parts.timestampSeconds + laterSeconds,
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp.replace(
      String(timestampSeconds),
      String(timestampSeconds + laterSeconds),
    ),
    'webhook-signature': signature.replace(before, after),
  };
}

/** A secret with which a receiver must not start, and what an attacker would send to it. */
export type Unusable = { readonly name: string; readonly secret: string | undefined } & Pick<
  Delivery,
  'headers' | 'body'
>;

/** The unusable secrets, and a variable that is not set. */
export function makeUnusable(): readonly Unusable[] {
  const made = vectors.unusableSecrets.map(({ name, secret, key, id, body }) => {
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': `v1,${sign(`whsec_${key}`, { id, timestampSeconds, body })}`,
    };
    return { name, secret, headers, body };
  });
  return [
    ...made,
    ...made.slice(0, 1).map((empty) => ({ ...empty, name: 'none', secret: undefined })),
  ];
}

/** A signature without its version, also by a key that no receiver may have. */
function sign(secret: string, { id, timestampSeconds, body }: Parts): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64');
}
