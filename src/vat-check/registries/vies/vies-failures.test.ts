import { describe, expect, it } from 'vitest';
import { unusedAddress } from '../../../../test/support/loopback-server.ts';
import { check, checkAgainst } from '../../../../test/vat-check/support/check-against.ts';
import { print } from '../../../../test/vat-check/support/raw-registry.ts';
import { answerText, envelope, faultText } from '../../../../test/vat-check/support/vies-texts.ts';
import type { Failure } from '../outcome.ts';
import type { RegistryResult } from '../registry.ts';

const failed = (failure: Failure, mayRetry = false): RegistryResult => ({
  outcome: { kind: 'failed', failure },
  mayRetry,
  isOwnForm: ['blocked', 'numberBlocked', 'unknownCode'].includes(failure),
  differences: [],
});

const half = answerText().slice(0, answerText().indexOf('</ns2:valid>') + '</ns2:valid>'.length);
const page = '<!DOCTYPE html><html><head><title>Sorry</title></head></html>';
const html = { 'Content-Type': 'text/html; charset=UTF-8' };
const sorry = { 'Content-Type': 'text/html', Location: 'http://127.0.0.1:1/sorry' };

describe('a failure of VIES that must not be read as an answer (contract C22)', () => {
  const fault = envelope('<env:Fault><faultcode>x</faultcode></env:Fault>');
  const faultBeside = fault.replace(
    '</env:Fault>',
    '<faultstring>TIMEOUT</faultstring></env:Fault><x/>',
  );
  const json = { 'Content-Type': 'application/json' };
  const twice = 'true</ns2:valid><ns2:valid>false';
  const doctype = '<!DOCTYPE x [<!ENTITY a "b">]>';
  it.each<[string, Failure, Uint8Array]>([
    ['a web page', 'webPage', print(200, page, html)],
    ['a web page under 503', 'webPage', print(503, page, html)],
    ['a web page that calls itself XML', 'webPage', print(200, page)],
    ['XHTML', 'webPage', print(200, '<html xmlns="http://www.w3.org/1999/xhtml"/>')],
    ['a redirect', 'webPage', print(302, '', sorry)],
    ['a redirect with an answer', 'webPage', print(307, answerText(), { Location: '/' })],
    ['an answer under 500', 'unreachable', print(500, answerText())],
    ['an answer under 404', 'unreachable', print(404, answerText())],
    ['an answer under 206', 'unreachable', print(206, answerText())],
    ['no content', 'unreachable', print(404, '')],
    ['an empty body', 'unreadable', print(200, '')],
    ['bytes that are not UTF-8', 'unreadable', print(200, Buffer.from(answerText(), 'utf16le'))],
    ['a DOCTYPE', 'unreadable', print(200, doctype + answerText())],
    ['an entity that is not known', 'unreadable', print(200, answerText({ name: '&x;' }))],
    [
      'an encoding that it may not have',
      'unreadable',
      print(200, 'x', { 'Content-Encoding': 'br' }),
    ],
    ['something behind its end', 'unreadable', print(200, `${answerText()}<more/>`)],
    ['JSON', 'unreadable', print(200, '{"valid":false}', json)],
    ['no verdict', 'unreadable', print(200, answerText({ valid: null }))],
    ['an empty verdict', 'unreadable', print(200, answerText({ valid: '' }))],
    ['a verdict in capitals', 'unreadable', print(200, answerText({ valid: 'FALSE' }))],
    ['two verdicts', 'unreadable', print(200, answerText({ valid: twice }))],
    ['no requestDate', 'unreadable', print(200, answerText({ requestDate: null }))],
    ['another form of date', 'unreadable', print(200, answerText({ requestDate: '13.02.2026' }))],
    ['an envelope without content', 'unreadable', print(200, envelope(''))],
    ['another answer', 'unreadable', print(200, envelope('<checkVatApproxResponse/>'))],
    ['a fault beside an answer', 'unreadable', print(200, faultBeside)],
    ['a fault without a text', 'unreadable', print(200, fault)],
    ['a fault with an empty text', 'unknownCode', print(200, faultText(''))],
  ])('is recognised: %s', async (_, failure, bytes) => {
    expect(await checkAgainst(bytes)).toMatchObject(failed(failure));
  });

  it.each<[string, Failure, Uint8Array]>([
    ['half an answer that its length covers', 'unreadable', print(200, half)],
    ['a body that is cut', 'unreadable', print(200, answerText()).subarray(0, -1)],
    ['a connection that ends in the head', 'unreachable', print(200, 'x').subarray(0, 20)],
    ['no HTTP', 'unreachable', Buffer.from('220 mail.example ESMTP\r\n')],
  ])('is recognised, and the call may be made again: %s', async (_, failure, bytes) => {
    expect(await checkAgainst(bytes)).toEqual(failed(failure, true));
  });

  it('is recognised: an address at which no server listens', async () => {
    expect(await check(await unusedAddress())).toEqual(failed('unreachable', true));
  });
});
