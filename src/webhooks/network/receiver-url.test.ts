import { describe, expect, it } from 'vitest';
import { parseReceiverUrl } from './receiver-url.ts';

const usual = { allowHttp: false, allowPorts: [443, 8443] };
const withHttp = { ...usual, allowHttp: true };

function read(text: unknown, policy = usual): string {
  const parsed = parseReceiverUrl(text, policy);
  return parsed.kind === 'url' ? parsed.url.href : `expected ${parsed.expected}`;
}

describe('parseReceiverUrl (contract C30)', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['https://example.com:443/a?b#c', 'https://example.com/a?b'],
    ['https://example.com:8443/a?b=c', 'https://example.com:8443/a?b=c'],
    ['HTTPS://Example.COM/A', 'https://example.com/A'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://[2606:4700:0:0::1111]/', 'https://[2606:4700::1111]/'],
    ['https://user@example.com/', 'expected a URL without credentials'],
    ['https://:secret@example.com/', 'expected a URL without credentials'],
    ['https://example.com:80/', 'expected a port among 443, 8443'],
    ['https://example.com:0/', 'expected a port from 1 to 65535'],
  ])('reads %s as %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each(
    '2130706433 0177.0.0.01 0x7F000001 127.1 0x7f.0.1 127.0.0.1. １２７.０.０.１ %3127.0.0.1'.split(
      ' ',
    ),
  )('reads the IPv4 address %s as four decimal numbers', (host) => {
    expect(read(`https://${host}/`)).toBe('https://127.0.0.1/');
  });

  it.each([
    5,
    null,
    new URL('https://example.com'),
    '',
    'example.com/a',
    'http://example.com/',
    'ftp://example.com/',
    'httpss://example.com/',
    'https://',
    'https://[fe80::1%25eth0]/',
    'https://256.0.0.1/',
  ])('expects an https URL instead of %s', (text) => {
    expect(read(text)).toBe('expected an https URL');
  });

  it.each([
    ['ws://example.com/', withHttp, 'expected an https or http URL'],
    ['https://example.com:80/', withHttp, 'expected a port among 443, 8443'],
    ['https://example.com/', { ...usual, allowPorts: [8443] }, 'expected a port among 8443'],
    ['http://example.com:8080/', withHttp, 'expected a port among 80, 443, 8443'],
    ['http://example.com:443/', withHttp, 'http://example.com:443/'],
    ['http://example.com/', { ...withHttp, allowPorts: [] }, 'http://example.com/'],
  ])('reads %s under the policy %j', (text, policy, expected) => {
    expect(read(text, policy)).toBe(expected);
  });

  it('accepts at most 2,000 characters, as given and as normalised', () => {
    const base = 'https://example.com/';
    const longest = base.padEnd(2_000, 'a');

    expect(read(longest)).toBe(longest);
    for (const text of [`${longest}a`, `${longest}#`, base.padEnd(1_000, 'ü')]) {
      expect(read(text)).toBe('expected at most 2000 characters');
    }
  });
});
