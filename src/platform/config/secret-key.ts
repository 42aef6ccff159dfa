import { refuse } from '../fields/field.ts';
import { type Described, type Option, optionalText } from './option.ts';
import { Secret } from './secret.ts';

const keyForms = [
  { pattern: /^[0-9A-Fa-f]{64}$/, encoding: 'hex' },
  { pattern: /^[0-9A-Za-z+/]{43}=?$/, encoding: 'base64' },
  { pattern: /^[0-9A-Za-z_-]{43}=?$/, encoding: 'base64url' },
] as const;

/** The form of a key, for an operator. */
export const secretKeyForm = '32 bytes as 64 hex digits or as base64';
/** The command that prints a new key. */
export const secretKeyCommand = 'openssl rand -hex 32';

/**
 * Reads a SECRET_KEY: 32 bytes as 64 hex digits or as base64, in either alphabet and with or without the
 * `=` at its end. Every key is checked here, from a setting or from a key file.
 *
 * White space around it is ignored. Undefined for everything else, also for base64 with bits beyond the last
 * byte: that is a typo or a password.
 */
export function parseSecretKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  const form = keyForms.find(({ pattern }) => pattern.test(trimmed));
  if (form === undefined) return undefined;

  const key = Buffer.from(trimmed, form.encoding);
  const written = key.toString(form.encoding).replace('=', '');
  return form.encoding === 'hex' || written === trimmed.replace('=', '') ? key : undefined;
}

/** A key of 32 bytes; undefined if none is set. */
export function secretKeyOption(option: Described): Option<Secret<Buffer> | undefined> {
  return {
    ...option,
    ...optionalText(secretKeyForm, (given, at) => {
      const key = parseSecretKey(given);
      return key === undefined
        ? refuse(at, `${secretKeyForm}; make one with: ${secretKeyCommand}`)
        : new Secret(key, `set, ${given.length} characters`);
    }),
    secret: true,
  };
}
