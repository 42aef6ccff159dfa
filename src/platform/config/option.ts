import { isIP } from 'node:net';
import { parseRequestLimit, type RequestLimit, requestLimitMax } from '../http/request-cost.ts';

/**
 * The value of a text, a description of the texts that are accepted, or what is wrong with this one: each problem is
 * read after the name of the setting.
 */
export type Parsed<T> =
  | { readonly value: T }
  | { readonly expected: string }
  | { readonly problems: readonly string[] };

/** An environment variable, as the parser, the documents and the command `config` need it. */
export type Option<T> = {
  readonly name: string;
  readonly default: string;
  readonly means: string;
  /** The accepted values, for a person. */
  readonly accepts: string;
  readonly parse: (text: string) => Parsed<T>;
  /** Also read from `<NAME>_FILE`; the value is a `Secret`, which cannot be printed. */
  readonly secret?: true;
  /** A refused text is quoted to the operator; never one that may hold a password. */
  readonly isQuoted?: true;
  /** Its name in lower case is read as well, and wins. */
  readonly inLowerCaseToo?: true;
  /** The name of the setting that replaces it; without a value of its own, it has that setting's value. */
  readonly replacedBy?: string;
};

export type Described = Pick<Option<unknown>, 'name' | 'default' | 'means' | 'replacedBy'>;

/** An option without secrets; `read` returns undefined for a text that is not accepted. */
function quoted<T>(
  option: Described,
  accepts: string,
  read: (given: string) => T | undefined,
): Option<T> {
  return { ...optionOf(option, accepts, read), isQuoted: true };
}

/** The same for a text in which an operator may have put a password: it is not quoted. */
export function optionOf<T>(
  option: Described,
  accepts: string,
  read: (given: string) => T | undefined,
): Option<T> {
  return {
    ...option,
    accepts,
    parse: (given) => {
      const value = read(given);
      return value === undefined ? { expected: accepts } : { value };
    },
  };
}

/** The address of a port to listen on: an IP address, of IPv6 also with its zone, or a name. */
export function hostOption(option: Described): Option<string> {
  const accepts = 'an IP address or a name, without port, brackets and `http://`';
  return listening(
    quoted(option, accepts, (given) =>
      isIP(given) !== 0 || hostNameForm.test(given) ? given : undefined,
    ),
  );
}

/** A place to listen on, of which a Unix socket is refused with the reason. */
function listening<T>(option: Option<T>): Option<T> {
  return {
    ...option,
    parse: (given) => {
      const parsed = option.parse(given);
      return 'expected' in parsed ? { expected: expectPlace(parsed.expected, given) } : parsed;
    },
  };
}

/** What was expected as a place to listen on, and why a Unix socket is none, if one was given (rule O14). */
export function expectPlace(expected: string, given: string): string {
  return socketForm.test(given) ? `${expected}; vatfx does not listen on Unix sockets` : expected;
}

/** A path, which other servers accept in place of a host or a port. */
const socketForm = /^(?:unix:)?\.{0,2}\/|^unix:|\.sock(?:et)?$/i;

const hostNameForm = /^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?\.?$/i;

/** The operator's contact, sent to upstreams as the comment of a `User-Agent`; empty for none. */
export function contactOption(option: Described): Option<string> {
  return optionOf(
    option,
    'a mail address or URL, up to 200 printable ASCII characters without parentheses',
    // A backslash would escape the parenthesis behind it (RFC 9110 §5.6.5); a URL may hold a password.
    (given) =>
      /^[ -'*-[\]-~]{0,200}$/.test(given) && !/^\s|\s$|:\/\/[^/]*@/.test(given) ? given : undefined,
  );
}

export function port(option: Described): Option<number> {
  return listening(
    quoted(option, 'a port from 0 to 65535 (0 takes a free one)', (given) =>
      readWhole(given, { least: 0, most: 65_535, digitsMax: 5 }),
    ),
  );
}

export function wholeNumber(range: Range, option: Described): Option<number> {
  const accepts = `a whole number from ${range.least} to ${range.most}`;
  return quoted(option, accepts, (given) => readWhole(given, range));
}

export function requestLimit(option: Described): Option<RequestLimit> {
  return quoted(
    option,
    `a whole number from 1 to ${requestLimitMax}, or \`none\``,
    parseRequestLimit,
  );
}

/** A requester of VAT checks in any spelling, which the judge of the settings reads; empty for none. */
export function requesterOption(option: Described): Option<string> {
  return quoted(
    option,
    'a VAT number with its country in front, such as `NL854265259B01`, or `EU` and nine digits',
    (given) => given,
  );
}

/** Hosts as NO_PROXY names them; empty for none. Undici reads it, and passes over what it does not know. */
export function hostList(option: Described): Option<string> {
  const accepts =
    'names, addresses, endings like `.example.com`, each with or without a port, or `*`';
  return optionOf(option, `${accepts}, separated by commas`, (given) => given);
}

/** Networks like `10.0.0.0/8`, and single addresses. */
export function networkList(option: Described): Option<readonly string[]> {
  return quoted(
    option,
    'addresses and networks like `10.0.0.0/8` or `fd00::/8`, separated by commas',
    (given) => readList(given, isNetwork),
  );
}

/** Networks only, each with its prefix length; IPv4 in its own form, not as IPv6. */
export function cidrList(option: Described): Option<readonly string[]> {
  return quoted(option, 'networks like `10.0.0.0/8` or `fd00::/8`, separated by commas', (given) =>
    readList(given, isCidr),
  );
}

export function portList(option: Described): Option<readonly number[]> {
  return quoted(option, 'up to 20 ports from 1 to 65535, separated by commas', (given) =>
    readWholeList(given, { least: 1, most: 65_535 }),
  );
}

/** Whole seconds up to a week each. */
export function secondsList(option: Described): Option<readonly number[]> {
  const most = 7 * 86_400;
  const accepts = `up to 20 times whole seconds from 0 to ${most}, separated by commas`;
  return quoted(option, accepts, (given) => readWholeList(given, { least: 0, most }));
}

export function oneOf<const T extends string>(values: readonly T[], option: Described): Option<T> {
  const accepts = values.map((value) => `\`${value}\``).join(' or ');
  return quoted(option, accepts, (given) => values.find((value) => value === given));
}

/** Names out of a list, in its order, each once; the text may be empty. */
export function namesOf<const T extends string>(
  values: readonly T[],
  option: Described,
): Option<readonly T[]> {
  const accepts = `${values.map((value) => `\`${value}\``).join(' and ')}, separated by commas`;
  return quoted(option, accepts, (given) => {
    const names = readList(given, (one) => values.some((value) => value === one));
    return names === undefined ? undefined : values.filter((value) => names.includes(value));
  });
}

export function switchOption(option: Described): Option<boolean> {
  return quoted(option, '`on` or `off`', (given) =>
    given === 'on' || given === 'off' ? given === 'on' : undefined,
  );
}

type Range = { readonly least: number; readonly most: number; readonly digitsMax?: number };

function readWhole(text: string, { least, most, digitsMax = 9 }: Range): number | undefined {
  const value = Number(text);
  const isWhole = /^[0-9]+$/.test(text) && text.length <= digitsMax;
  return isWhole && value >= least && value <= most ? value : undefined;
}

/** From 1 to 20 whole numbers. */
function readWholeList(text: string, range: Range): readonly number[] | undefined {
  const values = text.split(',').map((one) => readWhole(one.trim(), { ...range, digitsMax: 6 }));
  return values.length <= 20 && values.every((value) => value !== undefined) ? values : undefined;
}

/** The items of a list, whose text may be empty; undefined if one of them is not accepted. */
export function readList(
  text: string,
  isAccepted: (item: string) => boolean,
): readonly string[] | undefined {
  const items = text === '' ? [] : text.split(',').map((item) => item.trim());
  return items.every((item) => isAccepted(item)) ? items : undefined;
}

function isCidr(given: string): boolean {
  return isNetwork(given) && given.includes('/') && !/^::ffff:/i.test(given);
}

function isNetwork(given: string): boolean {
  const [address = '', bits, ...more] = given.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || more.length > 0) return false;
  // `/0` would trust every address; Fastify does not start with it.
  return (
    bits === undefined ||
    (/^[1-9][0-9]{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}
