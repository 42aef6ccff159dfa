import { BlockList } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, it } from 'vitest';
import { edgesOf, printAddress } from '../../../test/support/range-edges.ts';
import { createAddressPolicy, listRefusedRanges } from './address-class.ts';

const { ipv4, ipv6 } = listRefusedRanges();
const isAllowed = createAddressPolicy([]);
const isIsatap = (address: string): boolean => /:(?:0|100|200|300):5efe:[^:]+:[^:]+$/.test(address);

/** The list in another implementation; for each family its own, because `::/3` has all mapped IPv4 addresses. */
const [listed4, listed6] = [ipv4, ipv6].map((ranges) => {
  const list = new BlockList();
  for (const range of ranges) {
    const [base = '', bits] = range.split('/');
    list.addSubnet(base, Number(bits), base.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}) as [BlockList, BlockList];
const isListed = (address: string): boolean =>
  address.includes(':') ? listed6.check(address, 'ipv6') : listed4.check(address, 'ipv4');

const anyIpv4 = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
/** Half of them where addresses are public, and some of ISATAP. */
const anyIpv6 = fc
  .tuple(fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), fc.boolean(), fc.nat(9))
  .map(([number, isGlobal, kind]) => {
    const moved = isGlobal ? (number & (2n ** 125n - 1n)) | (1n << 125n) : number;
    const id = (BigInt(kind % 4) << 56n) | (0x5efen << 32n);
    return kind < 8 ? moved : (moved & ~(0xffff_ffffn << 32n)) | id;
  });

it('the listed ranges are those that a guard without settings refuses, besides ISATAP (contract C30)', () => {
  const edges = [...ipv4, ...ipv6].flatMap(edgesOf);
  // As they are in the library, also inside of listed ones.
  const special = [ipaddr.IPv4, ipaddr.IPv6].flatMap(({ prototype }) =>
    Object.values((prototype as unknown as { SpecialRanges: object }).SpecialRanges)
      .flat(2)
      .filter((one) => typeof one === 'object')
      .map(String),
  );
  const fixed = [...edges, ...special].filter((address) => !address.startsWith('0:0:0:0:0:ffff:'));

  expect(fixed.length).toBeGreaterThan(140);
  for (const address of fixed) {
    expect([address, isAllowed(address)]).toEqual([address, !isListed(address)]);
  }
  fc.assert(
    fc.property(anyIpv4, anyIpv6, (v4, v6) => {
      const [address4, address6] = [printAddress(v4, 'ipv4'), printAddress(v6, 'ipv6')];
      expect([address4, isAllowed(address4)]).toEqual([address4, !isListed(address4)]);
      const isPublic = !isListed(address6) && !isIsatap(address6);
      expect([address6, isAllowed(address6)]).toEqual([address6, isPublic]);
      // Judged as its IPv4 address.
      expect(isAllowed(`::ffff:${address4}`)).toBe(isAllowed(address4));
    }),
    { numRuns: 2_000 },
  );
});

it('the list is short: IPv4 before IPv6, ascending, and no range inside of another one', () => {
  expect(ipv4.slice(0, 5)).toEqual([
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '168.63.129.16/32',
  ]);
  expect(ipv6).toEqual([
    '::/3',
    '2001::/23',
    '2001:db8::/32',
    '2002::/16',
    '2620:4f:8000::/48',
    '3fff::/20',
    '4000::/2',
    '8000::/1',
  ]);
  expect(ipv4).toHaveLength(19);
});
