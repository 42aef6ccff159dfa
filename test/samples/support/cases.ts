import vectors from '../../../client/vectors/webhook-signatures.json' with { type: 'json' };

type Delivery = {
  readonly secret: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  readonly now: number;
};

/** A delivery, and whether a receiver has to accept it. */
export type Case = Delivery & { readonly name: string; readonly isSigned: boolean };

/** The vectors of the client as they are, and each of them with one part changed. */
export const cases: readonly Case[] = [...vectors.signed, ...vectors.receivedOnly].flatMap(
  ({ name, secrets, id, timestampSeconds: now, body, signature }) =>
    secrets.flatMap((secret) =>
      variantsOf({ secret, id, timestamp: String(now), signature, body, now }).map((variant) => ({
        ...variant,
        name: `${name}: ${variant.name}`,
      })),
    ),
);

function variantsOf(good: Delivery): readonly Case[] {
  const { secret, id, timestamp, signature, body, now } = good;
  const accepted = { ...good, isSigned: true };
  const refused = { ...good, isSigned: false };
  const other = `${secret.slice(0, -2)}${secret.endsWith('E=') ? 'I' : 'E'}=`;
  return [
    { ...accepted, name: 'as it is' },
    { ...accepted, name: 'five minutes late', now: now + 300 },
    { ...accepted, name: 'five minutes early', now: now - 300 },
    { ...accepted, name: 'beside another signature', signature: `v1,AAAA ${signature}` },
    { ...refused, name: 'a second later', now: now + 301 },
    { ...refused, name: 'a second earlier', now: now - 301 },
    { ...refused, name: 'another body', body: `${body} ` },
    { ...refused, name: 'another id', id: `${id}0` },
    { ...refused, name: 'another timestamp', timestamp: String(now + 1) },
    { ...refused, name: 'a timestamp with a sign', timestamp: `+${timestamp}` },
    { ...refused, name: 'no timestamp', timestamp: '' },
    { ...refused, name: 'no number as timestamp', timestamp: `${timestamp}.0` },
    { ...refused, name: 'another secret', secret: secret.endsWith('=') ? other : 'whsec_AAAA' },
    { ...refused, name: 'another version', signature: signature.replaceAll('v1,', 'v2,') },
    { ...refused, name: 'no signature', signature: '' },
    { ...refused, name: 'half a signature', signature: signature.slice(0, 20) },
  ];
}

/** The line that a driver reads. */
export function printCase({ secret, id, timestamp, signature, body, now }: Case): string {
  const bytes = Buffer.from(body).toString('base64');
  return `${[secret, id, timestamp, signature, bytes, now].join('\t')}\n`;
}
