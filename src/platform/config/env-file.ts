import { lstatSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readSmallFile, type SmallFile } from '../files/small-file.ts';

/** The settings of a `.env` file, and what an operator has to correct in it. No sentence has a value. */
export type EnvFile = {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The line of each variable, from 1. */
  readonly lines: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
};

/** Reads the text of a `.env` file: empty if there is none, and a problem if it is no file of UTF-8 text. */
export function readEnvFile(
  path: string,
): { readonly text: string } | { readonly problem: string } {
  // In a folder that this user may not enter, there is none for this user.
  if (!isThere(path)) return { text: '' };
  const file = readSmallFile(path);
  if (!('bytes' in file)) return { problem: describeUnreadable(path, file) };
  const { bytes } = file;
  const isUtf16 = /^(?:fffe|feff)/.test(bytes.subarray(0, 2).toString('hex')) || bytes.includes(0);
  if (isUtf16) return { problem: `${path} is not UTF-8 text but UTF-16 or binary; ${save}` };
  try {
    // Skips a byte order mark.
    return { text: decoder.decode(bytes) };
  } catch {
    return { problem: `${path} line ${findBrokenLine(bytes)} is not UTF-8 text; ${save}` };
  }
}

/**
 * Parses the text of a `.env` file as Node does, after a check of each line: Node passes over a line that it cannot read, and
 * ends a value at a `#`.
 */
export function parseEnvFile(text: string): EnvFile {
  const all = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  const lines = new Map<string, number>();
  const settings: string[] = [];
  const problems: string[] = [];
  const warnings: string[] = [];
  for (let at = 0; at < all.length; at += 1) {
    const line = all[at] ?? '';
    if (nothing.test(line)) continue;
    const read = readSetting(all, at);
    if ('problem' in read) {
      problems.push(`.env line ${at + 1} ${read.problem}`);
      continue;
    }
    const { name } = read;
    const before = lines.get(name);
    if (before !== undefined) {
      warnings.push(
        `${name} is in .env twice, in lines ${before} and ${at + 1}; the last one counts`,
      );
    }
    lines.set(name, at + 1);
    settings.push(`${name}=${read.value}`);
    at = read.last;
  }
  return { variables: parseEnv(settings.join('\n')), lines, problems, warnings };
}

const save = 'save it as UTF-8';
const decoder = new TextDecoder('utf-8', { fatal: true });
/** A line without a setting, or the end of a line behind a quoted value. */
const nothing = /^\s*(?:#.*)?$/;
const setting = /^\s*(?:export\s+)?(?<name>[A-Za-z_][\w.-]*)\s*=(?<rest>.*)$/;

/** Reads the setting that begins in a line; a value in quotes may end in a later one. */
function readSetting(
  all: readonly string[],
  at: number,
):
  | { readonly name: string; readonly value: string; readonly last: number }
  | { readonly problem: string } {
  const line = all[at] ?? '';
  if (line.includes('\r'))
    return { problem: 'has a carriage return in it; end lines with LF or CR LF' };
  const { name, rest } = setting.exec(line)?.groups ?? {};
  if (name === undefined || rest === undefined) {
    return { problem: 'is no setting; expected NAME=value, or a comment that begins with #' };
  }
  const value = rest.trim();
  const [quote] = /^["'`]/.exec(value) ?? [];
  if (quote === undefined) {
    const hash = rest.indexOf('#');
    const isCut = hash === 0 || (hash > 0 && /\S/.test(rest.charAt(hash - 1)));
    return isCut
      ? { problem: 'has a # in its value, which begins a comment; put the value in double quotes' }
      : { name, value, last: at };
  }
  const last = value.includes(quote, 1)
    ? at
    : all.findIndex((later, index) => index > at && later.includes(quote));
  if (last === -1) return { problem: `has a quote (${quote}) that is not closed` };
  const whole = [value, ...all.slice(at + 1, last + 1)].join('\n');
  const end = whole.indexOf(quote, 1) + 1;
  return nothing.test(whole.slice(end))
    ? { name, value: whole.slice(0, end), last }
    : {
        problem: 'has text after its closing quote; put the whole value in quotes of another kind',
      };
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function describeUnreadable(
  path: string,
  { found, code }: Exclude<SmallFile, { bytes: Buffer }>,
): string {
  if (found === 'it is a folder') {
    return `${path} is a folder, expected a file; Docker makes a folder if the file that it mounts is missing`;
  }
  if (code === 'ENOENT')
    return `${path} is a link to a file that does not exist; make that file, or remove the link`;
  return code === undefined || code === 'ENXIO'
    ? `${path} is not read, because ${found}; expected a regular file of at most 64 KB`
    : `${path} cannot be read (${code}); let the user that vatfx runs as read it, or remove it`;
}

function findBrokenLine(bytes: Buffer): number {
  const lines = bytes.toString('latin1').split('\n');
  const isText = (line: string): boolean => {
    try {
      decoder.decode(Buffer.from(line, 'latin1'));
      return true;
    } catch {
      return false;
    }
  };
  return lines.findIndex((line) => !isText(line)) + 1;
}
