import { describe, expect, it } from 'vitest';

import { readReceiverScript } from './script.ts';
import { otherSecret, secret } from '../../../test/support/sandbox/delivery.ts';

function problemsOf(input: unknown): readonly string[] {
  const read = readReceiverScript(input);
  return read.kind === 'invalid' ? read.problems : [];
}

const bytesInBase64 = (length: number) => Buffer.alloc(length, 3).toString('base64');

describe('readReceiverScript', () => {
  const whole = {
    secrets: [secret, otherSecret],
    answer: {
      status: 307,
      delayMs: 800,
      retryAfter: '120',
      body: 'Ærø\n',
      redirectTo: 'http://169.254.169.254/',
      hang: false,
      drip: true,
      reset: false,
      times: 2,
    },
  };

  it.each([
    ['every field', whole],
    ['nothing', {}],
    ['no secrets any more', { secrets: [] }],
    ['an answer that heals', { answer: {} }],
    ['an answer that does not heal', { answer: { times: null } }],
    ['the least', { answer: { status: 200, delayMs: 0, times: 1, body: '' } }],
    ['the most', { answer: { status: 599, delayMs: 600_000, times: 1_000_000 } }],
    ['secrets of 24 and 64 bytes', { secrets: [24, 64].map((n) => `whsec_${bytesInBase64(n)}`) }],
    ['the longest address', { answer: { redirectTo: '/'.repeat(2_000) } }],
    ['ten secrets', { secrets: Array.from({ length: 10 }, () => secret) }],
  ])('reads %s', (_, script) => {
    expect(readReceiverScript(script)).toEqual({ kind: 'script', script });
  });

  it.each([
    ['a list', [], 'body: got [], expected an object'],
    ['an unknown field', { secret }, 'secret: unknown field, expected one of secrets, answer'],
    ['a secret outside of a list', { secrets: 'x' }, 'secrets: got "x", expected a list'],
    [
      'too many secrets',
      { secrets: Array.from({ length: 11 }, () => secret) },
      'secrets: got 11, expected at most 10',
    ],
    ['an answer that is no object', { answer: 1 }, 'answer: got 1, expected an object'],
    [
      'an unknown field of the answer',
      { answer: { code: 1 } },
      'answer.code: unknown field, expected one of status, delayMs, retryAfter, body, redirectTo, hang, drip, reset, times',
    ],
    [
      'a text as status',
      { answer: { status: '200' } },
      'answer.status: got "200", expected a whole number from 200 to 599',
    ],
    [
      'too low a status',
      { answer: { status: 199 } },
      'answer.status: got 199, expected a whole number from 200 to 599',
    ],
    [
      'too high a status',
      { answer: { status: 600 } },
      'answer.status: got 600, expected a whole number from 200 to 599',
    ],
    [
      'a negative delay',
      { answer: { delayMs: -1 } },
      'answer.delayMs: got -1, expected a whole number from 0 to 600000',
    ],
    [
      'too long a delay',
      { answer: { delayMs: 600_001 } },
      'answer.delayMs: got 600001, expected a whole number from 0 to 600000',
    ],
    [
      'a number as Retry-After',
      { answer: { retryAfter: 5 } },
      'answer.retryAfter: got 5, expected a text like "120" or an HTTP date',
    ],
    [
      'an empty Retry-After',
      { answer: { retryAfter: '' } },
      'answer.retryAfter: got "", expected a text like "120" or an HTTP date',
    ],
    [
      'a line break in a header',
      { answer: { redirectTo: '/\r\n' } },
      'answer.redirectTo: got "/\\r\\n", expected an address as text',
    ],
    [
      'a line break before the rest of a header',
      { answer: { retryAfter: '\n5' } },
      'answer.retryAfter: got "\\n5", expected a text like "120" or an HTTP date',
    ],
    [
      'too long an address',
      { answer: { redirectTo: '/'.repeat(2_001) } },
      `answer.redirectTo: got "${'/'.repeat(59)}..., expected an address as text`,
    ],
    [
      'letters that are not allowed in a header',
      { answer: { redirectTo: '/ø€' } },
      'answer.redirectTo: got "/ø€", expected an address as text',
    ],
    ['a number as body', { answer: { body: 1 } }, 'answer.body: got 1, expected a text'],
    [
      'a word as hang',
      { answer: { hang: 'yes' } },
      'answer.hang: got "yes", expected true or false',
    ],
    ['a word as drip', { answer: { drip: 1 } }, 'answer.drip: got 1, expected true or false'],
    [
      'a word as reset',
      { answer: { reset: null } },
      'answer.reset: got null, expected true or false',
    ],
    [
      'no times',
      { answer: { times: 0 } },
      'answer.times: got 0, expected a whole number from 1 to 1000000, or null for ever',
    ],
    [
      'hang together with drip',
      { answer: { hang: true, drip: true } },
      'answer: expected at most one of hang, drip, reset',
    ],
    [
      'drip together with reset',
      { answer: { drip: true, reset: true } },
      'answer: expected at most one of hang, drip, reset',
    ],
  ])('refuses %s', (_, input, problem) => {
    expect(problemsOf(input)).toEqual([problem]);
  });

  it.each([
    ['a number', 1],
    ['no prefix', bytesInBase64(32)],
    ['nothing behind the prefix', 'whsec_'],
    ['23 bytes', `whsec_${bytesInBase64(23)}`],
    ['65 bytes', `whsec_${bytesInBase64(65)}`],
    ['another alphabet', `whsec_${Buffer.alloc(32, 0xff).toString('base64url')}`],
    ['no padding', secret.replace('=', '')],
    ['text before it', ` ${secret}`],
  ])('refuses a secret that is %s', (_, input) => {
    expect(problemsOf({ secrets: [secret, input] })).toEqual([
      expect.stringMatching(/^secrets\[1\]: got .*, expected whsec_ and 24 to 64 bytes in base64$/),
    ]);
  });

  it('names every problem', () => {
    const problems = problemsOf({ secrets: ['x'], answer: { status: 1, times: 0 }, more: 1 });

    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'more',
      'secrets[0]',
      'answer.status',
      'answer.times',
    ]);
  });
});
