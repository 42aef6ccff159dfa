import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../test/support/answer-of.ts';
import { checkHead } from './check-answer.ts';

const expected = { statuses: [200, 304], variable: 'ECB_URL' };
const check = (status: number, headers: Readonly<Record<string, string>> = {}): void =>
  checkHead(answerOf('', { status, headers }), expected);

describe('checkHead', () => {
  it.each([
    ['an expected status', 200, { 'content-type': 'text/xml;charset=UTF-8' }],
    ['a status below 400 that is expected', 304, {}],
    ['no content type', 200, {}],
    ['a type that only has html in its name', 200, { 'content-type': 'text/xhtmlish' }],
  ])('lets %s pass', (_, status, headers) => {
    expect(() => check(status, headers)).not.toThrow();
  });

  it.each([
    [
      'a redirect',
      301,
      { location: 'https://new.example/' },
      'redirected',
      'HTTP 301 to https://new.example/; set ECB_URL to the new address if it is the right one',
    ],
    ['a choice of addresses', 300, {}, 'redirected', 'HTTP 300 to an unnamed address'],
    [
      'a redirect without an address',
      302,
      {},
      'redirected',
      'HTTP 302 to an unnamed address; set ECB_URL',
    ],
    ['a redirect with a page', 308, { 'content-type': 'text/html' }, 'redirected', 'HTTP 308'],
    [
      'a web page',
      200,
      { 'content-type': 'text/html; charset=UTF-8' },
      'html',
      'HTTP 200 with a web page instead of data',
    ],
    [
      'a web page in capitals',
      503,
      { 'content-type': 'TEXT/HTML' },
      'html',
      'HTTP 503 with a web page',
    ],
    [
      'another status',
      503,
      { 'content-type': 'text/xml' },
      'status',
      'HTTP 503, expected 200 or 304',
    ],
    ['a partial answer', 206, {}, 'status', 'HTTP 206, expected 200 or 304'],
    ['a client error', 400, {}, 'status', 'HTTP 400, expected 200 or 304'],
  ])('refuses %s', (_, status, headers, kind, message) => {
    expect(() => check(status, headers as Record<string, string>)).toThrow(
      expect.objectContaining({ kind, status, message: expect.stringContaining(message) }),
    );
  });
});
