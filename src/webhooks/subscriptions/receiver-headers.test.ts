import { describe, expect, it } from 'vitest';
import { invalidField } from '../../platform/http/responses/api-errors.ts';
import { readField } from '../../platform/http/routes/read-request.ts';
import { parseReceiverHeaders } from './receiver-headers.ts';
import { newSubscription, subscriptionChange } from './fields.ts';

const policy = { allowHttp: false, allowPorts: [443] };
const readNew = (body: unknown) => readField(newSubscription(policy), body);
const readChange = (body: unknown) => readField(subscriptionChange(policy), body);
const url = 'https://shop.example/hook';

const anObject = 'at most 3 headers as {name: value}, or null';
const aName = 'names of 1 to 100 characters that HTTP allows in them';
const otherNames =
  'names other than connection, expect, host, http2-settings, keep-alive, te, trailer, transfer-encoding, upgrade, ' +
  'content-*, proxy-*, webhook-*';
const once = 'each name once, in any letter case';
const aValue = 'values of 1 to 4096 visible ASCII characters, with blanks only between them';

const ownNames =
  'Connection keep-alive TE Trailer Transfer-Encoding Upgrade Expect Host HTTP2-Settings Content-Length content-type ' +
  'Content-X Proxy-Authorization proxy-connection Webhook-Id webhook-signature';

describe('the headers of a subscription (contract C27)', () => {
  it.each<[what: string, expected: string, given: unknown]>([
    ['a list', anObject, ['x-gateway: secret']],
    ['a text', anObject, 'x-gateway: secret'],
    ['false', anObject, false],
    ['four', anObject, { a: 'secret', b: 'secret', c: 'secret', d: 'secret' }],
    ['an empty name', aName, { '': 'secret' }],
    ['a name with a blank', aName, { 'x gateway': 'secret' }],
    ['a name with a colon', aName, { 'x-gateway:': 'secret' }],
    ['a name with a line end', aName, { 'x\r\nhost': 'secret' }],
    ['a name beyond ASCII', aName, { 'x-schlüssel': 'secret' }],
    ['a name of 101 characters', aName, { ['x'.repeat(101)]: 'secret' }],
    ['two spellings of a name', once, { 'X-Gateway': 'secret', 'x-gateway': 'secret' }],
    ['a line end in a value', aValue, { 'x-gateway': 'secret\r\nhost: other' }],
    ['a line feed at the end', aValue, { 'x-gateway': 'secret\n' }],
    ['a tab in a value', aValue, { 'x-gateway': 'secret\tsecret' }],
    ['a value beyond ASCII', aValue, { 'x-gateway': 'secrét' }],
    ['a blank at the end', aValue, { 'x-gateway': 'secret ' }],
    ['an empty value', aValue, { 'x-gateway': '' }],
    ['a value that is no text', aValue, { 'x-gateway': ['secret'] }],
    ['a value of 4,097 characters', aValue, { 'x-gateway': 'x'.repeat(4_097) }],
    ['a value of 9 KB', aValue, { 'x-gateway': 'x'.repeat(9_216) }],
    ...ownNames
      .split(' ')
      .map((name): [string, string, unknown] => [name, otherNames, { [name]: 'secret' }]),
  ])('refuse %s, by POST and PATCH, without the value', (_, expected, headers) => {
    const refusal = invalidField('headers', expected);

    expect(() => readNew({ url, headers })).toThrow(refusal);
    expect(() => readChange({ headers })).toThrow(refusal);
    expect(refusal.message).not.toContain('secret');
  });

  it('are read as their caller spelled them, in its order; {} and null are none', () => {
    const longest = { ["!#$%&'*+-.^_`|~9"]: 'x'.repeat(4_096), ['a'.repeat(100)]: '!' };
    const headers = { 'X-Gateway': 'Bearer a b~', ...longest };

    expect(readChange({ headers })).toEqual({
      headers: Object.entries(headers),
    });
    for (const none of [{}, null]) {
      expect(readChange({ headers: none })).toEqual({ headers: [] });
      expect(readNew({ url, headers: none })).toMatchObject({ headers: [] });
    }
  });

  it.each([
    ['a stored text that is no JSON', 'whsec_secret'],
    ['stored JSON of another kind', '{"x":"secret"}'],
  ])('are not shown if they are %s', (_, stored) => {
    expect(() => parseReceiverHeaders(stored)).toThrow(/^not the headers of a subscription$/);
  });
});

describe('the own secret of a subscription (contract C27)', () => {
  const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes).toString('base64')}`;

  it.each<[what: string, given: unknown]>([
    ['23 bytes', secretOf(23)],
    ['65 bytes', secretOf(65)],
    ['no base64', `whsec_${'!'.repeat(32)}`],
    ['no prefix', Buffer.alloc(32).toString('base64')],
    ['base64url', `whsec_${Buffer.alloc(32, 0xff).toString('base64url')}`],
    ['no end of base64', secretOf(32).slice(0, -1)],
    ['two of them', `${secretOf(32)} ${secretOf(32)}`],
    ['null', null],
    ['a list', [secretOf(32)]],
  ])('is refused with %s, without its text', (_, secret) => {
    expect(() => readNew({ url, secret })).toThrow(
      invalidField('secret', 'whsec_ and 24 to 64 bytes in base64'),
    );
  });

  it.each([24, 64])('may have %i bytes', (bytes) => {
    const secret = secretOf(bytes);

    expect(readNew({ url, secret })).toMatchObject({ secret });
  });
});
