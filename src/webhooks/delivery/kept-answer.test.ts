import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openReceiverAgent } from '../../../test/support/attempt-delivery.ts';
import { serveHttp } from '../../../test/support/loopback-server.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { noon } from '../../../test/support/stored-webhooks.ts';
import type { ReceiverHeaders } from '../subscriptions/receiver-headers.ts';
import { attemptDelivery } from './http-sender.ts';

type Answer = {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer | ((received: IncomingHttpHeaders) => string);
};

/** One attempt at a receiver with this answer; what is kept of it. */
async function keep(
  { status = 401, headers = {}, body = '' }: Answer,
  sent: ReceiverHeaders = [],
): Promise<{ readonly answer?: string | undefined; readonly location?: string | undefined }> {
  const url = await serveHttp((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, headers);
      response.end(typeof body === 'function' ? body(request.headers) : body);
    });
  });
  const parts = { dispatcher: openReceiverAgent(), clock: new SettableClock(noon) };
  const message = { url, eventId: 'evt_1', body: Buffer.from('{}'), signingKeys: [] };
  const { attempt } = await attemptDelivery(parts, { ...message, headers: sent });
  return { answer: attempt.answer, location: attempt.location };
}

const of = (charset: string) => ({ 'content-type': `text/html; charset=${charset}` });
const token = 'Sesame/0pen"it+now=';
const sent: ReceiverHeaders = [
  ['Authorization', `Bearer ${token}`],
  ['x-gateway', 'k1'],
];

describe('what is kept of an answer that refuses (contract C27)', () => {
  it.each<[what: string, answer: Answer, kept: string | undefined]>([
    ['a text', { body: 'wrong key' }, 'wrong key'],
    ['no text', {}, ''],
    ['the first 1,024 bytes', { body: 'x'.repeat(50_000) }, 'x'.repeat(1_024)],
    ['no half of a character', { body: `x${'𝔵'.repeat(300)}` }, `x${'𝔵'.repeat(255)}`],
    ['blanks for control characters', { body: '<p>\r\n\tno\u001b[2J\u202e' }, '<p>   no [2J '],
    ['U+FFFD for bytes that are no text', { body: Buffer.from([0x61, 0xff, 0x62]) }, 'a\uFFFDb'],
    ['the declared charset', { headers: of('"ISO-8859-2"'), body: Buffer.of(0xb1) }, 'ą'],
    ['UTF-16 by its mark', { body: Buffer.from('\uFEFFno', 'utf16le') }, 'no'],
    ['an unknown charset as UTF-8', { headers: of('x-own'), body: 'né' }, 'né'],
    [
      'nothing of a compressed one',
      { headers: { 'content-encoding': 'gzip' }, body: gzipSync('no') },
      undefined,
    ],
    ['a coding that is none', { headers: { 'content-encoding': 'identity' }, body: 'no' }, 'no'],
    ['the answer to a 410', { status: 410, body: 'gone' }, 'gone'],
    ['nothing of one that accepts', { status: 200, body: 'thanks' }, undefined],
  ])('is %s', async (_, answer, kept) => {
    expect(await keep(answer)).toEqual({ answer: kept, location: undefined });
  });

  it('is the Location of a redirect, and of no other answer', async () => {
    const to = (location: string, status = 302) => keep({ status, headers: { location } });

    expect(await to('/login?next=\u00e9')).toEqual({ answer: '', location: '/login?next=\uFFFD' });
    expect(await to(`/${'x'.repeat(3_000)}`)).toMatchObject({ location: `/${'x'.repeat(1_023)}` });
    expect(await to('/login', 401)).toMatchObject({ location: undefined });
  });

  it('is what came before the receiver hung up', async () => {
    const headers = { 'content-length': 100, connection: 'close' };

    expect(await keep({ status: 500, headers, body: 'out of' })).toMatchObject({
      answer: 'out of',
    });
  });
});

describe('values of headers in a kept answer (contract C27, C33)', () => {
  it.each<[spelled: string, body: NonNullable<Answer['body']>, kept: string]>([
    ['all request headers', (got) => [got['authorization'], got['x-gateway']].join(), '***,***'],
    ['in another letter case', `BEARER ${token.toUpperCase()}`, '***'],
    ['without the scheme', `no such token ${token}!`, 'no such token ***!'],
    ['cut by the receiver', `token ${token.slice(0, 9)}… is unknown`, 'token ***… is unknown'],
    ['as JSON', JSON.stringify({ got: token }), '{"got":"***"}'],
    ['as JSON of PHP', JSON.stringify(token).replace('/', '\\/'), '"***"'],
    ['in a URL', `?t=${encodeURIComponent(`Bearer ${token}`)}`, '?t=***'],
    [
      'in a form',
      `t=${new URLSearchParams([['', `Bearer ${token}`]]).toString().slice(1)}`,
      't=***',
    ],
    ['in HTML', '<b>Sesame/0pen&quot;it+now=</b>', '<b>***</b>'],
    ['over a line end', `Bearer\n${token}`, '***'],
    ['over the cut', `${'x'.repeat(1_020)}Bearer ${token} k1`, `${'x'.repeat(1_020)}***`],
    ['a short one', 'k1 is not k2', '*** is not k2'],
    ['a signing secret', `expected whsec_${'Ab/+'.repeat(10)}==.`, 'expected ***.'],
  ])('are hidden: %s', async (_, body, kept) => {
    expect(await keep({ body }, sent)).toMatchObject({ answer: kept });
  });

  it('are hidden in UTF-16, and in a Location', async () => {
    const body = Buffer.from(`no ${token}`, 'utf16le');
    const location = `/?back=${encodeURIComponent(token)}`;

    for (const headers of [of('utf-16le'), {}]) {
      expect(await keep({ headers, body }, sent)).toMatchObject({ answer: 'no ***' });
    }
    expect(await keep({ status: 307, headers: { location } }, sent)).toMatchObject({
      location: '/?back=***',
    });
  });
});
