import { isIP } from 'node:net';
import { choice, type Form, type Place, refuse, textForm } from '../fields/field.ts';
import { parseRequestLimit, type RequestLimit, requestLimitMax } from '../http/request-cost.ts';

/**
 * An environment variable, as the reader of the settings, the documents and the command `config` need it. Its form says which
 * values it accepts, for the documents too; an error may say more. The value may be undefined, for a setting without one.
 */
export type Option<T> = Form<T> & {
  readonly name: string;
  readonly default: string;
  readonly means: string;
  /** Sentences about faults of a text apart from its form, each read behind the name of the setting; it then has no value. */
  readonly problemsOf?: (text: string) => readonly string[];
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

/** An option without secrets; `parse` returns undefined for a text that is not accepted. */
function quoted<T>(
  option: Described,
  expected: string,
  parse: (given: string) => T | undefined,
): Option<T> {
  return { ...option, ...textForm(expected, parse), isQuoted: true };
}

/** A setting that may be empty, and has then no value. */
export function optionalText<T>(
  expected: string,
  read: (text: string, at: Place) => T | undefined,
): Form<T | undefined> {
  return { expected, read: (given, at) => (given === '' ? undefined : read(String(given), at)) };
}

/** The address of a port to listen on: an IP address, of IPv6 also with its zone, or a name. */
export function hostOption(option: Described): Option<string> {
  const expected = 'an IP address or a name, without port, brackets and `http://`';
  return listening(
    quoted(option, expected, (given) =>
      isIP(given) !== 0 || hostNameForm.test(given) ? given : undefined,
    ),
  );
}

/** A place to listen on, of which a Unix socket is refused with the reason. */
function listening<T>(option: Option<T>): Option<T> {
  return {
    ...option,
    read: (given, at) => {
      const refuseHere = () => refuse(at, expectPlace(option.expected, String(given)), given);
      return option.read(given, { ...at, refuse: refuseHere });
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
  const expected =
    'a mail address or URL, up to 200 printable ASCII characters without parentheses';
  return {
    ...option,
    // A backslash would escape the parenthesis behind it (RFC 9110 §5.6.5); a URL may hold a password.
    ...textForm(expected, (given) =>
      /^[ -'*-[\]-~]{0,200}$/.test(given) && !/^\s|\s$|:\/\/[^/]*@/.test(given) ? given : undefined,
    ),
  };
}

export function port(option: Described): Option<number> {
  return listening(
    quoted(option, 'a port from 0 to 65535 (0 takes a free one)', (given) =>
      readWhole(given, { least: 0, most: 65_535, digitsMax: 5 }),
    ),
  );
}

export function wholeNumber(range: Range, option: Described): Option<number> {
  const expected = `a whole number from ${range.least} to ${range.most}`;
  return quoted(option, expected, (given) => readWhole(given, range));
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
  const expected =
    'names, addresses, endings like `.example.com`, each with or without a port, or `*`, separated by commas';
  return { ...option, ...textForm(expected, (given) => given) };
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
  const expected = `up to 20 times whole seconds from 0 to ${most}, separated by commas`;
  return quoted(option, expected, (given) => readWholeList(given, { least: 0, most }));
}

export function oneOf<const T extends string>(values: readonly T[], option: Described): Option<T> {
  const expected = values.map((value) => `\`${value}\``).join(' or ');
  return { ...option, ...choice(values, expected), isQuoted: true };
}

/** Names out of a list, in its order, each once; the text may be empty. */
export function namesOf<const T extends string>(
  values: readonly T[],
  option: Described,
): Option<readonly T[]> {
  const expected = `${values.map((value) => `\`${value}\``).join(' and ')}, separated by commas`;
  return quoted(option, expected, (given) => {
    const names = readList(given, (one) => values.some((value) => value === one));
    return names === undefined ? undefined : values.filter((value) => names.includes(value));
  });
}

export function switchOption(option: Described): Option<boolean> {
  return quoted(option, '`on` or `off`', (given) =>
    given === 'on' || given === 'off' ? given === 'on' : undefined,
  );
}

/** The same setting, whose name in lower case is read as well. */
export function inLowerCaseToo<T>(option: Option<T>): Option<T> {
  return { ...option, inLowerCaseToo: true };
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
