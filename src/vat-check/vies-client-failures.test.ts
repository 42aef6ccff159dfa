import { describe, expect, it } from 'vitest';
import { unusedAddress } from '../../test/support/loopback-server.ts';
import { check, checkAgainst } from '../../test/vat-check/support/check-against.ts';
import { print } from '../../test/vat-check/support/raw-registry.ts';
import { answerText, envelope, faultText } from '../../test/vat-check/support/vies-texts.ts';
import type { Failure } from './outcome.ts';
import type { ViesResult } from './vies-client.ts';

const failed = (failure: Failure, mayRetry = false): ViesResult => ({
  outcome: { kind: 'failed', failure },
  mayRetry,
  differences: [],
});

const half = answerText().slice(0, answerText().indexOf('</ns2:valid>') + '</ns2:valid>'.length);
const page = '<!DOCTYPE html><html><head><title>Sorry</title></head></html>';
const html = { 'Content-Type': 'text/html; charset=UTF-8' };
const sorry = { 'Content-Type': 'text/html', Location: 'http://127.0.0.1:1/sorry' };

describe('a failure of VIES that must not be read as an answer (contract C22)', () => {
  it.each<[string, ViesResult, Uint8Array]>([
    ['a web page', failed('webPage'), print(200, page, html)],
    ['a web page under 503', failed('webPage'), print(503, page, html)],
    ['a web page that calls itself XML', failed('webPage'), print(200, page)],
    ['XHTML', failed('webPage'), print(200, '<html xmlns="http://www.w3.org/1999/xhtml"/>')],
    ['a redirect', failed('webPage'), print(302, '', sorry)],
    ['a redirect with an answer', failed('webPage'), print(307, answerText(), { Location: '/' })],
    ['an answer under 500', failed('unreachable'), print(500, answerText())],
    ['an answer under 404', failed('unreachable'), print(404, answerText())],
    ['an answer under 206', failed('unreachable'), print(206, answerText())],
    ['no content', failed('unreachable'), print(404, '')],
    ['an empty body', failed('unreadable'), print(200, '')],
    ['half an answer that its length covers', failed('unreadable', true), print(200, half)],
    [
      'bytes that are not UTF-8',
      failed('unreadable'),
      print(200, Buffer.from(answerText(), 'utf16le')),
    ],
    [
      'a DOCTYPE',
      failed('unreadable'),
      print(200, `<!DOCTYPE x [<!ENTITY a "b">]>${answerText()}`),
    ],
    ['an entity that is not known', failed('unreadable'), print(200, answerText({ name: '&x;' }))],
    [
      'an encoding that the request does not accept',
      failed('unreadable'),
      print(200, 'x', { 'Content-Encoding': 'br' }),
    ],
    ['something behind its end', failed('unreadable'), print(200, `${answerText()}<more/>`)],
    [
      'JSON',
      failed('unreadable'),
      print(200, '{"valid":false}', { 'Content-Type': 'application/json' }),
    ],
    ['no verdict', failed('unreadable'), print(200, answerText({ valid: null }))],
    ['an empty verdict', failed('unreadable'), print(200, answerText({ valid: '' }))],
    ['a verdict in capitals', failed('unreadable'), print(200, answerText({ valid: 'FALSE' }))],
    [
      'two verdicts',
      failed('unreadable'),
      print(200, answerText({ valid: 'true</ns2:valid><ns2:valid>false' })),
    ],
    ['no request date', failed('unreadable'), print(200, answerText({ requestDate: null }))],
    [
      'a request date of another form',
      failed('unreadable'),
      print(200, answerText({ requestDate: '13.02.2026' })),
    ],
    ['an envelope without content', failed('unreadable'), print(200, envelope(''))],
    [
      'an answer to something else',
      failed('unreadable'),
      print(200, envelope('<checkVatApproxResponse/>')),
    ],
    [
      'a fault beside an answer',
      failed('unreadable'),
      print(
        200,
        envelope('<env:Fault><faultcode/><faultstring>TIMEOUT</faultstring></env:Fault><x/>'),
      ),
    ],
    [
      'a fault without a text',
      failed('unreadable'),
      print(200, envelope('<env:Fault><faultcode>x</faultcode></env:Fault>')),
    ],
    ['a fault with an empty text', failed('unknownCode'), print(200, faultText(''))],
    ['a body that is cut', failed('unreadable', true), print(200, answerText()).subarray(0, -1)],
    [
      'a connection that ends in the head',
      failed('unreachable', true),
      print(200, 'x').subarray(0, 20),
    ],
    ['no HTTP', failed('unreachable', true), Buffer.from('220 mail.example ESMTP\r\n')],
  ])('is recognised: %s', async (_, result, bytes) => {
    expect(await checkAgainst(bytes)).toEqual(result);
  });

  it('is recognised: an address at which no server listens', async () => {
    expect(await check(await unusedAddress())).toEqual(failed('unreachable', true));
  });
});
