import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from './address-class.ts';

/** The words of a text. */
const words = (text: string): string[] => text.trim().split(/\s+/);

describe('an address policy without ranges (contract C30)', () => {
  const isAllowed = createAddressPolicy([]);

  it.each(
    words(`
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
    168.63.129.15 168.63.129.17 169.253.255.255 172.15.255.255 172.32.0.0 192.167.255.255
    192.169.0.0 223.255.255.255 2001:200::1 2606:4700:4700::1111 2A00:1450:4001:82B::200E
    3ffe:ffff::1 2606:4700::1:5efe:a00:1 2606:4700::5eff:a00:1 ::ffff:8.8.8.8 ::ffff:808:808
  `),
  )('is true for the ordinary address %s', (address) => {
    expect(isAllowed(address)).toBe(true);
  });

  it.each([
    ['this network', '0.0.0.0', '0.255.255.255'],
    ['private', '10.0.0.0', '10.255.255.255'],
    ['shared with the carrier, metadata of Alibaba', '100.64.0.0', '100.127.255.255'],
    ['loopback', '127.0.0.0', '127.255.255.255'],
    ['the platform of Azure', '168.63.129.16', '168.63.129.16'],
    ['link-local, metadata of most clouds', '169.254.0.0', '169.254.255.255'],
    ['private', '172.16.0.0', '172.31.255.255'],
    ['protocol assignments, metadata of Oracle', '192.0.0.0', '192.0.0.255'],
    ['documentation', '192.0.2.0', '192.0.2.255'],
    ['AS112', '192.31.196.0', '192.31.196.255'],
    ['AMT', '192.52.193.0', '192.52.193.255'],
    ['6to4 relays', '192.88.99.0', '192.88.99.255'],
    ['private', '192.168.0.0', '192.168.255.255'],
    ['AS112', '192.175.48.0', '192.175.48.255'],
    ['benchmarking', '198.18.0.0', '198.19.255.255'],
    ['documentation', '198.51.100.0', '198.51.100.255'],
    ['documentation', '203.0.113.0', '203.0.113.255'],
    ['multicast', '224.0.0.0', '239.255.255.255'],
    ['reserved, broadcast', '240.0.0.0', '255.255.255.255'],
    ['unspecified, loopback', '::', '::1'],
    ['IPv4-compatible', '::2', '::ffff:ffff'],
    ['mapped private', '::ffff:a00:0', '::ffff:10.255.255.255'],
    ['mapped loopback', '::ffff:127.0.0.1', '0:0:0:0:0:ffff:7f00:1'],
    ['translated', '::ffff:0:0:0', '::ffff:0:ffff:ffff'],
    ['NAT64', '64:ff9b::', '64:ff9b::ffff:ffff'],
    ['NAT64 of one network', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
    ['discard', '100::', '100::ffff:ffff:ffff:ffff'],
    ['below the assigned range', '1fff:ffff::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['Teredo', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['benchmarking', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
    ['AMT', '2001:3::', '2001:3:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['AS112', '2001:4:112::', '2001:4:112:ffff:ffff:ffff:ffff:ffff'],
    ['ORCHID', '2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['ORCHIDv2', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['drones', '2001:30::', '2001:3f:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['protocol assignments', '2001:1::1', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['AS112', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
    ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['above the assigned range', '4000::', '5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['reserved', '6000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['metadata of AWS and GCP', 'fd00:ec2::254', 'fd20:ce::254'],
    ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['ISATAP of a private address', '2606:4700::5efe:a00:1', '2606:4700::200:5efe:10.0.0.1'],
    ['ISATAP of a public address', '2606:4700::5efe:808:808', '2606:4700::200:5efe:8.8.8.8'],
  ])('is false for %s: %s to %s', (_, first, last) => {
    expect([first, last].map(isAllowed)).toEqual([false, false]);
  });

  // Each of these would be public if it were read in another way.
  it.each([
    ['a zone', '2606:4700::1111%eth0'],
    ['a zone with its sign escaped', '2606:4700::1111%25eth0'],
    ['an empty zone', '2606:4700::1111%'],
    ['octal', '010.8.8.8'],
    ['hexadecimal', '0x8.8.8.8'],
    ['one number', '134744072'],
    ['three numbers', '8.8.8'],
    ['five numbers', '8.8.8.8.8'],
    ['a number above 255', '8.8.8.256'],
    ['a blank', '8.8.8.8 '],
    ['the end of a line', '8.8.8.8\n'],
    ['brackets', '[2606:4700::1111]'],
    ['brackets inside', '2606::1]:80/[::1'],
    ['a port', '8.8.8.8:80'],
    ['a range', '8.8.8.8/32'],
    ['nine groups', '2606:1:2:3:4:5:6:7:8'],
    ['two gaps', '2606::1::2'],
    ['five digits', '2606:04700::1'],
    ['dots of IPv4 in the middle', '2606::8.8.8.8:1'],
    ['octal dots of IPv4', '2606::010.8.8.8'],
    ['IPv4 after two colons, which is not mapped', '::8.8.8.8'],
    ['a name', 'example.com'],
    ['nothing', ''],
  ])('is false for %s', (_, text) => {
    expect(isAllowed(text)).toBe(false);
  });
});

describe('an address policy with ranges (contract C30)', () => {
  it.each([
    ['a network prefix of NAT64', '2a01:db8:64::10.0.0.1', false],
    ['an address beside it', '2a01:db8:65::1', true],
    ['an allowed network inside of a denied one', '10.1.0.1', false],
    ['the rest of the allowed network', '10.2.0.1', true],
    ['a public address', '8.8.8.8', false],
    ['the same, mapped', '::ffff:8.8.8.8', false],
  ])('denies addresses of denied ranges, even in allowed ones: %s', (_, address, expected) => {
    const deny = ['2a01:db8:64::/96', '10.1.0.0/16', '8.8.8.0/24'];
    const isAllowed = createAddressPolicy(['10.0.0.0/8'], deny);

    expect(isAllowed(address)).toBe(expected);
  });

  it.each([
    ['8.8.8.8', true],
    ['2606:4700::1111', true],
    ['10.1.0.0', true],
    ['10.1.255.255', true],
    ['::ffff:10.1.2.3', true],
    ['10.0.255.255', false],
    ['10.2.0.0', false],
    ['fd00:1::', true],
    ['fd00:1:ffff::1', true],
    ['fd00:2::', false],
    ['fe80::1', true],
    ['fe80::1%eth0', false],
    ['127.0.0.1', true],
    ['127.0.0.2', false],
    ['::127.0.0.1', false],
    ['012.1.0.0', false],
    ['localhost', false],
  ])('with some allowed ranges judges %s: %s', (address, expected) => {
    const isAllowed = createAddressPolicy([
      '10.1.2.3/16',
      '127.0.0.1/32',
      'FD00:1::/32',
      'fe80::/10',
    ]);

    expect(isAllowed(address)).toBe(expected);
  });

  it.each([
    ['0.0.0.0/0', '127.0.0.1', '::1'],
    ['::/0', '::1', '127.0.0.1'],
    ['::1/128', '::1', '::2'],
  ])('with %s allows %s and not %s, because a range has one family', (range, inside, outside) => {
    const isAllowed = createAddressPolicy([range]);

    expect([inside, outside].map(isAllowed)).toEqual([true, false]);
  });

  it.each([
    '',
    ...words(`
    10.0.0.0 10.0.0.0/33 10.0.0.0/-1 10.0.0.0/8/8 9.9.9.9/10.0.0.0/8 10.0.0/8 10.0.0.0/ /8
    fd00::/129 fe80::%eth0/64 ::ffff:10.0.0.0/104 ::ffff:10.0.0.0/8 private
  `),
  ])('throws for %j, which is not a range', (text) => {
    expect(() => createAddressPolicy([text])).toThrow(
      `expected a range of addresses such as 10.0.0.0/8, got ${JSON.stringify(text)}`,
    );
  });
});
