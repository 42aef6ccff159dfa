import assert from 'node:assert/strict';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

/**
 * Azure's platform address. Every registry lists it as public, but on an Azure machine it serves the machine's
 * certificates and settings.
 */
const azurePlatform: Range = [ipaddr.IPv4.parse('168.63.129.16'), 32];

/** The only range from which ordinary unicast addresses were ever assigned (RFC 4291 §2.4). */
const globalUnicast: Range = [ipaddr.IPv6.parse('2000::'), 3];
/** All other addresses of IPv6. */
const notGlobalUnicast = ['::/3', '4000::/2', '8000::/1'];

/**
 * Makes the test for addresses: public or in an allowed range, and in no denied range (contract C30).
 *
 * Ranges are written as `10.0.0.0/8` or `fd00::/8`. Throws on any other text; the configuration has refused it. No
 * text with a zone is allowed, and no IPv4 address in another form than four decimal numbers.
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
 * The ranges in which no receiver may be unless it is allowed (contract C30), as CIDR: IPv4 before IPv6, each ascending, and no
 * range inside of another one.
 *
 * A policy without ranges refuses these addresses and, in any network, those of ISATAP, which are no range. It judges an
 * IPv4-mapped IPv6 address as its IPv4 address, though `::/3` contains it.
 */
export function listRefusedRanges(): { readonly ipv4: string[]; readonly ipv6: string[] } {
  const special6 = specialRangesOf(ipaddr.IPv6).filter(([base]) => isInside(base, globalUnicast));
  return {
    ipv4: printRanges([...specialRangesOf(ipaddr.IPv4), azurePlatform]),
    ipv6: printRanges([...special6, ...notGlobalUnicast.map(parseRange)]),
  };
}

/** The ranges behind the library's `range()`. Its types do not have them; a test compares both. */
function specialRangesOf({ prototype }: { readonly prototype: object }): readonly Range[] {
  const { SpecialRanges } = prototype as {
    readonly SpecialRanges: Readonly<Record<string, Range | readonly Range[]>>;
  };
  const isOne = (given: Range | readonly Range[]): given is Range => typeof given[1] === 'number';
  return Object.values(SpecialRanges).flatMap((given) => (isOne(given) ? [given] : given));
}

function printRanges(ranges: readonly Range[]): string[] {
  const isCovered = (one: Range): boolean =>
    ranges.some((other) => other !== one && other[1] <= one[1] && isInside(one[0], other));
  return ranges
    .filter((one) => !isCovered(one))
    .toSorted(([a], [b]) => Buffer.compare(toBytes(a), toBytes(b)))
    .map(([base, bits]) => `${base.toString()}/${bits}`);
}

function toBytes(address: Address): Buffer {
  return Buffer.from(address.toByteArray());
}

/**
 * The canonical spelling of an address; undefined if the text is not an address.
 *
 * Two texts with the same result are the same address. An IPv4-mapped IPv6 address becomes its IPv4 address:
 * `::FFFF:7f00:1` becomes `127.0.0.1`.
 */
export function normalizeAddress(text: string): string | undefined {
  return parseAddress(text)?.toString();
}

function parseAddress(text: string): Address | undefined {
  // The library also parses octal, hexadecimal and short forms, on which parsers disagree.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  const address = parseIpv6(text);
  return address?.isIPv4MappedAddress() === true ? address.toIPv4Address() : address;
}

/**
 * Parses an IPv6 address by the URL standard, which reads it as sockets do, is strict and knows no zones. The
 * library takes `::10.0.0.1` for `::ffff:10.0.0.1`, but sockets connect to `::a00:1`.
 */
function parseIpv6(text: string): ipaddr.IPv6 | undefined {
  // Other characters could end the brackets.
  if (!/^[0-9a-f:.]+$/i.test(text)) return undefined;
  const url = URL.parse(`http://[${text}]`);
  return url === null ? undefined : ipaddr.IPv6.parse(url.hostname.slice(1, -1));
}

/**
 * Whether a receiver may have an address if no range is configured (contract C30).
 *
 * Not public are private, loopback, link-local, shared, multicast, documentation, benchmarking and reserved
 * addresses, and addresses that contain another one (NAT64, 6to4, Teredo, ISATAP). NAT64 with a network's own
 * prefix (RFC 6052) cannot be recognised; `WEBHOOK_DENY_CIDRS` is for that.
 */
function isPublic(address: Address): boolean {
  // The library calls an address "unicast" if it is in none of the special ranges that it knows.
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4
    ? !isInside(address, azurePlatform)
    : isInside(address, globalUnicast) && !isIsatap(address);
}

/**
 * Whether an address is an ISATAP address: in any network, an interface id of `0000:5efe` or `0200:5efe` and then an
 * IPv4 address (RFC 5214 §6.1). A router may forward to that IPv4 address, so every ISATAP address is refused.
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
  // An IPv4-mapped base is parsed as IPv4, but its prefix length counts 128 bits.
  const isMixed = address?.kind() === 'ipv4' && base.includes(':');
  assert(
    address !== undefined && bits <= bitsMax && !isMixed,
    `expected a range of addresses such as 10.0.0.0/8, got ${JSON.stringify(text)}`,
  );
  return [address, bits];
}
