import { isIP } from 'node:net';
import { parseRequestLimit, type RequestLimit, requestLimitMax } from '../request-limit.ts';

/** What a value's text is read to, or what was expected instead. */
export type Parsed<T> = { readonly value: T } | { readonly expected: string };

/** One environment variable: everything that the parser, the documents and `config` need to know. */
export type Option<T> = {
  readonly name: string;
  readonly default: string;
  readonly means: string;
  /** What it accepts, for a person. */
  readonly accepts: string;
  readonly parse: (text: string) => Parsed<T>;
  /** Also read from `<NAME>_FILE`; the value is a `Secret`, which cannot be printed. */
  readonly secret?: true;
  /** A text that is refused is quoted to the operator; never one that may hold a password. */
  readonly isQuoted?: true;
};

export type Described = Pick<Option<unknown>, 'name' | 'default' | 'means'>;

export function text(option: Described): Option<string> {
  return {
    ...option,
    accepts: 'a text',
    parse: (given) => (given === '' ? { expected: 'something' } : { value: given }),
  };
}

/** The operator's contact, sent to upstreams as the comment of a `User-Agent`; empty for none. */
export function contactOption(option: Described): Option<string> {
  const accepts = 'a mail address or URL, up to 200 printable ASCII characters without parentheses';
  return {
    ...option,
    accepts,
    // A backslash would escape the parenthesis behind it (RFC 9110 §5.6.5); a URL may hold a password.
    parse: (given) =>
      /^[ -'*-[\]-~]{0,200}$/.test(given) && !/^\s|\s$|:\/\/[^/]*@/.test(given)
        ? { value: given }
        : { expected: accepts },
  };
}

export function port(option: Described): Option<number> {
  const accepts = 'a port from 0 to 65535 (0 takes a free one)';
  return {
    ...option,
    accepts,
    isQuoted: true,
    parse: (given) => {
      const value = Number(given);
      return /^[0-9]{1,5}$/.test(given) && value <= 65_535 ? { value } : { expected: accepts };
    },
  };
}

/** A whole number of milliseconds within bounds. */
export function milliseconds(
  range: { readonly least: number; readonly most: number },
  option: Described,
): Option<number> {
  const accepts = `a whole number of milliseconds from ${range.least} to ${range.most}`;
  return {
    ...option,
    accepts,
    isQuoted: true,
    parse: (given) => {
      const value = Number(given);
      const isWithin = value >= range.least && value <= range.most;
      return /^[0-9]{1,9}$/.test(given) && isWithin ? { value } : { expected: accepts };
    },
  };
}

/** A whole number within bounds. */
export function count(
  range: { readonly least: number; readonly most: number },
  option: Described,
): Option<number> {
  const accepts = `a whole number from ${range.least} to ${range.most}`;
  return {
    ...option,
    accepts,
    parse: (given) => {
      const value = Number(given);
      const isWithin = value >= range.least && value <= range.most;
      return /^[0-9]{1,9}$/.test(given) && isWithin ? { value } : { expected: accepts };
    },
  };
}

export function requestLimit(option: Described): Option<RequestLimit> {
  const accepts = `a whole number from 1 to ${requestLimitMax}, or \`none\``;
  return {
    ...option,
    accepts,
    isQuoted: true,
    parse: (given) => {
      const value = parseRequestLimit(given);
      return value === undefined ? { expected: accepts } : { value };
    },
  };
}

/** Networks like `10.0.0.0/8`, and single addresses. */
export function networkList(option: Described): Option<readonly string[]> {
  const accepts = 'addresses and networks like `10.0.0.0/8` or `fd00::/8`, separated by commas';
  return {
    ...option,
    accepts,
    isQuoted: true,
    parse: (given) => {
      if (given === '') return { value: [] };
      const networks = given.split(',').map((network) => network.trim());
      return networks.every(isNetwork) ? { value: networks } : { expected: accepts };
    },
  };
}

/** Networks alone, each with its prefix length; IPv4 in its own spelling. */
export function cidrList(option: Described): Option<readonly string[]> {
  const { parse, ...rest } = networkList(option);
  const accepts = 'networks like `10.0.0.0/8` or `fd00::/8`, separated by commas';
  return {
    ...rest,
    accepts,
    parse: (given) => {
      const parsed = parse(given);
      if ('expected' in parsed) return { expected: accepts };
      const isList = parsed.value.every((cidr) => cidr.includes('/') && !/^::ffff:/i.test(cidr));
      return isList ? parsed : { expected: accepts };
    },
  };
}

export function portList(option: Described): Option<readonly number[]> {
  return numberList(
    { accepts: 'up to 20 ports from 1 to 65535, separated by commas', least: 1, most: 65_535 },
    option,
  );
}

/** Whole seconds up to a week each. */
export function secondsList(option: Described): Option<readonly number[]> {
  const most = 7 * 86_400;
  return numberList(
    {
      accepts: `up to 20 times whole seconds from 0 to ${most}, separated by commas`,
      least: 0,
      most,
    },
    option,
  );
}

export function oneOf<const T extends string>(values: readonly T[], option: Described): Option<T> {
  const accepts = values.map((value) => `\`${value}\``).join(' or ');
  return {
    ...option,
    accepts,
    isQuoted: true,
    parse: (given) => {
      const value = values.find((candidate) => candidate === given);
      return value === undefined ? { expected: accepts } : { value };
    },
  };
}

export function switchOption(option: Described): Option<boolean> {
  const { parse, ...rest } = oneOf(['on', 'off'], option);
  return {
    ...rest,
    parse: (given) => {
      const parsed = parse(given);
      return 'value' in parsed ? { value: parsed.value === 'on' } : parsed;
    },
  };
}

/** Between one number and twenty. */
function numberList(
  range: { readonly accepts: string; readonly least: number; readonly most: number },
  option: Described,
): Option<readonly number[]> {
  const { accepts, least, most } = range;
  return {
    ...option,
    accepts,
    isQuoted: true,
    parse: (given) => {
      const texts = given.split(',').map((text) => text.trim());
      const isList = texts.every((text) => {
        const value = Number(text);
        return /^[0-9]{1,6}$/.test(text) && value >= least && value <= most;
      });
      return isList && texts.length <= 20 ? { value: texts.map(Number) } : { expected: accepts };
    },
  };
}

function isNetwork(given: string): boolean {
  const [address = '', bits, ...more] = given.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || more.length > 0) return false;
  // `/0` would believe everybody; Fastify does not start with it.
  return (
    bits === undefined ||
    (/^[1-9][0-9]{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}
