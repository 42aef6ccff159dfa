import { noReceiverUrls, receiverUrls } from './values.ts';

type Field = { readonly good: readonly unknown[]; readonly bad: readonly unknown[] };

/** `headers` of a subscription (contract C27). */
export const headers: Field = {
  good: [{}, null, { 'x-gateway': 'Bearer a' }, { a: '1', B: '2', '!': 'x'.repeat(4_096) }],
  bad: [
    [],
    'x: y',
    1,
    { '': 'x' },
    { 'a b': 'x' },
    { host: 'x' },
    { 'Content-Length': '1' },
    { a: 'x\r\ny: z' },
    { a: 'é' },
    { a: 'x'.repeat(4_097) },
    { a: null },
    { a: '1', A: '2' },
    { a: '1', b: '2', c: '3', d: '4' },
  ],
};
/** `secret` of a new one. */
export const secret: Field = {
  good: [`whsec_${'A'.repeat(32)}`, `whsec_${'/'.repeat(84)}+w==`],
  bad: [
    null,
    1,
    '',
    'whsec_',
    `whsec_${'A'.repeat(31)}`,
    `whsec_${'A'.repeat(88)}`,
    'A'.repeat(32),
  ],
};
const isUrl = (value: unknown): boolean =>
  receiverUrls.includes(value as string) && !noReceiverUrls.includes(value);
const isEvents = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  // No more than there are types.
  value.length <= 5 &&
  value.every((one) => one === 'rates.changed');
const isDescription = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.length <= 500);
/** Whether a value of a field of a subscription is valid. */
export const subscriptionRules = {
  url: isUrl,
  events: isEvents,
  description: isDescription,
  headers: (value: unknown): boolean => isGood(headers, value),
};

export function isSecret(value: unknown): boolean {
  return isGood(secret, value);
}

/** Whether a value is among the good ones of a field. */
function isGood({ good }: Field, value: unknown): boolean {
  return good.some((one) => JSON.stringify(one) === JSON.stringify(value));
}
