import assert from 'node:assert/strict';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

/**
 * A public address by every registry, and yet the way from an Azure machine to the platform that hosts
 * it: certificates and settings of the machine are read there.
 */
const azurePlatform: Range = [ipaddr.IPv4.parse('168.63.129.16'), 32];

/** All that was ever given out as ordinary unicast (RFC 4291 §2.4). */
const globalUnicast: Range = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * True for an address of the open Internet that a receiver can have (contract C30).
 *
 * Anything special is not: private, loopback, link-local, shared, multicast, documentation,
 * benchmarking, reserved, and whatever carries another address inside (NAT64, 6to4, Teredo, ISATAP). NAT64
 * with a prefix of a network's own (RFC 6052) looks like any other address: `WEBHOOK_DENY_CIDRS` is for that.
 * Neither is
 * a text that is no address in its ordinary spelling, with a zone or without four decimal numbers.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && isPublic(address);
}

/**
 * Gives the test that an address has to pass: public or inside of an allowed range, and inside of no denied
 * one (contract C30).
 *
 * Ranges are written as `10.0.0.0/8` or `fd00::/8`; throws at any other text, which configuration does
 * not let through.
 */
export function createAddressPolicy(
  allowCidrs: readonly string[],
  denyCidrs: readonly string[] = [],
): (text: string) => boolean {
  const allowed = allowCidrs.map(parseRange);
  const denied = denyCidrs.map(parseRange);
  return (text) => {
    const address = parseAddress(text);
    if (address === undefined || denied.some((range) => isInside(address, range))) return false;
    return isPublic(address) || allowed.some((range) => isInside(address, range));
  };
}

/**
 * Gives the one spelling of an address; undefined for a text that is none.
 *
 * An IPv4-mapped IPv6 address is its IPv4: `::FFFF:7f00:1` is `127.0.0.1`. Two texts with the same
 * result are the same address.
 */
export function normalizeAddress(text: string): string | undefined {
  return parseAddress(text)?.toString();
}

function parseAddress(text: string): Address | undefined {
  // The library reads octal, hexadecimal and short forms as well, which others read differently.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  const address = parseIpv6(text);
  return address?.isIPv4MappedAddress() === true ? address.toIPv4Address() : address;
}

/**
 * The library takes `::10.0.0.1` for `::ffff:10.0.0.1`; sockets connect to `::a00:1`. The URL standard
 * reads it as sockets do, is strict, knows no zones, and prints without dots.
 */
function parseIpv6(text: string): ipaddr.IPv6 | undefined {
  // Nothing that could end the brackets gets between them.
  if (!/^[0-9a-f:.]+$/i.test(text)) return undefined;
  const url = URL.parse(`http://[${text}]`);
  return url === null ? undefined : ipaddr.IPv6.parse(url.hostname.slice(1, -1));
}

function isPublic(address: Address): boolean {
  // "unicast" is what the library calls an address that is in none of the ranges it knows.
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4
    ? !isInside(address, azurePlatform)
    : isInside(address, globalUnicast) && !isIsatap(address);
}

/**
 * ISATAP: an interface id of `0000:5efe` or `0200:5efe`, then an IPv4 address, in any network (RFC 5214 §6.1).
 * A router may unwrap it towards that address, so it is refused whichever it is.
 */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , high = 0, low = 0] = address.parts;
  return (high & ~0x0300) === 0 && low === 0x5efe;
}

function isInside(address: Address, [base, bits]: Range): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

function parseRange(text: string): Range {
  const [, base = '', digits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseAddress(base);
  const bits = Number(digits);
  const bitsMax = address?.kind() === 'ipv4' ? 32 : 128;
  // A mapped base would count as IPv4, its length would not.
  const isMixed = address?.kind() === 'ipv4' && base.includes(':');
  assert(
    address !== undefined && bits <= bitsMax && !isMixed,
    `expected a range of addresses such as 10.0.0.0/8, got ${JSON.stringify(text)}`,
  );
  return [address, bits];
}
