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
    ['https://example.com:443/a', 'https://example.com/a'],
    ['https://example.com:8443/a?b=c', 'https://example.com:8443/a?b=c'],
    ['HTTPS://Example.COM/A', 'https://example.com/A'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://[2606:4700:0:0::1111]/', 'https://[2606:4700::1111]/'],
  ])('reads %s as %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ['decimal', 'https://2130706433/'],
    ['octal', 'https://0177.0.0.01/'],
    ['hexadecimal', 'https://0x7F000001/'],
    ['short', 'https://127.1/'],
    ['mixed', 'https://0x7f.0.1/'],
    ['with a dot at the end', 'https://127.0.0.1./'],
    ['in wide digits', 'https://１２７.０.０.１/'],
    ['escaped', 'https://%3127.0.0.1/'],
  ])('reads an IPv4 address (%s) as four decimal numbers', (_, text) => {
    expect(read(text)).toBe('https://127.0.0.1/');
  });

  it('drops a fragment', () => {
    expect(read('https://example.com/a?b#c')).toBe('https://example.com/a?b');
  });

  it.each([
    ['no text', 5],
    ['null', null],
    ['an object that prints like one', new URL('https://example.com')],
    ['nothing', ''],
    ['no scheme', 'example.com/a'],
    ['http', 'http://example.com/'],
    ['another scheme', 'ftp://example.com/'],
    ['a scheme that begins like one', 'httpss://example.com/'],
    ['no host', 'https://'],
    ['a zone', 'https://[fe80::1%25eth0]/'],
    ['a number that is no address', 'https://256.0.0.1/'],
  ])('expects an https URL instead of %s', (_, text) => {
    expect(read(text)).toBe('expected an https URL');
  });

  it.each([
    ['no text', undefined],
    ['another scheme', 'ws://example.com/'],
  ])('names http too if it is allowed, given %s', (_, text) => {
    expect(read(text, withHttp)).toBe('expected an https or http URL');
  });

  it.each([
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://:secret@example.com/',
  ])('refuses credentials: %s', (text) => {
    expect(read(text)).toBe('expected a URL without credentials');
  });

  it.each([
    ['https://example.com:80/', usual, 'expected a port among 443, 8443'],
    ['https://example.com:8080/', usual, 'expected a port among 443, 8443'],
    ['https://example.com:80/', withHttp, 'expected a port among 443, 8443'],
    ['https://example.com/', { ...usual, allowPorts: [8443] }, 'expected a port among 8443'],
    ['http://example.com:8080/', withHttp, 'expected a port among 80, 443, 8443'],
    [
      'http://example.com:8080/',
      { ...withHttp, allowPorts: [443, 80] },
      'expected a port among 80, 443',
    ],
  ])('refuses the port of %s under %j', (text, policy, expected) => {
    expect(read(text, policy)).toBe(expected);
  });

  it('refuses port 0 without naming the allowed ports', () => {
    expect(read('https://example.com:0/')).toBe('expected a port from 1 to 65535');
  });

  it.each(['http://example.com/', 'http://example.com:8443/', 'http://example.com:443/'])(
    'accepts %s if http is allowed',
    (text) => {
      expect(read(text, withHttp)).toBe(text);
    },
  );

  it('accepts http at port 80 even if no port is allowed', () => {
    expect(read('http://example.com/', { ...withHttp, allowPorts: [] })).toBe(
      'http://example.com/',
    );
  });

  it('accepts at most 2,000 characters, as given and as normalised', () => {
    const base = 'https://example.com/';
    const longest = base.padEnd(2_000, 'a');

    expect(read(longest)).toBe(longest);
    expect(read(`${longest}a`)).toBe('expected at most 2000 characters');
    expect(read(`${longest}#`)).toBe('expected at most 2000 characters');
    expect(read(base.padEnd(1_000, 'ü'))).toBe('expected at most 2000 characters');
  });
});
