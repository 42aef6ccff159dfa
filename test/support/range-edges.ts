/** An address as text, from its number. */
export function printAddress(number: bigint, family: 'ipv4' | 'ipv6'): string {
  if (family === 'ipv4') {
    return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 0xffn).join('.');
  }
  const groups = Array.from({ length: 8 }, (_, at) => (number >> BigInt(112 - 16 * at)) & 0xffffn);
  return groups.map((group) => group.toString(16)).join(':');
}

/** The first and the last address of a range such as `10.0.0.0/8`, and the addresses before and after it. */
export function edgesOf(range: string): readonly string[] {
  const [base = '', bits = ''] = range.split('/');
  const family = base.includes(':') ? 'ipv6' : 'ipv4';
  const width = family === 'ipv4' ? 32n : 128n;
  const first = parseAddress(base);
  const last = first + (1n << (width - BigInt(bits))) - 1n;
  return [first - 1n, first, last, last + 1n]
    .filter((number) => number >= 0n && number < 1n << width)
    .map((number) => printAddress(number, family));
}

function parseAddress(text: string): bigint {
  if (!text.includes(':')) {
    return text.split('.').reduce((number, part) => number * 256n + BigInt(part), 0n);
  }
  const [head = '', tail = ''] = text.split('::');
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const gap = Array<string>(8 - (before?.length ?? 0) - (after?.length ?? 0)).fill('0');
  return [...(before ?? []), ...gap, ...(after ?? [])].reduce(
    (number, part) => number * 65_536n + BigInt(`0x${part}`),
    0n,
  );
}
