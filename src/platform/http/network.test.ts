import { describe, expect, it } from 'vitest';
import { networkOf } from './network.ts';

describe('networkOf', () => {
  it.each([
    ['an IPv4 address', '192.0.2.1', '192.0.2.1'],
    ['an IPv4 address in IPv6', '::ffff:192.0.2.1', '192.0.2.1'],
    ['the same in hexadecimal', '::ffff:c000:201', '192.0.2.1'],
    ['an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['the first of its network', '2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['one in another notation', '2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['the next network', '2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['the loopback address', '::1', '::/64'],
    ['an address with a port', '192.0.2.1:4711', '192.0.2.1'],
    ['an IPv6 address in brackets', '[2001:db8::1]', '2001:db8::/64'],
    ['an IPv6 address with a port', '[2001:db8::1]:4711', '2001:db8::/64'],
    ['a link-local address with its zone', 'fe80::1%eth0', 'fe80::/64'],
  ])('reads the network of %s: %s', (_, given, network) => {
    expect(networkOf(given)).toBe(network);
  });

  it.each([
    ['nothing', ''],
    ['the word unknown', 'unknown'],
    ['a number too large', '192.0.2.256'],
    ['a port without an address', ':4711'],
    ['brackets around nothing', '[]:4711'],
    ['two gaps', '2001:db8::1::2'],
    ['a key', 'vfx_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf2xe133'],
  ])('returns unknown for %s', (_, given) => {
    expect(networkOf(given)).toBe('unknown');
  });
});
