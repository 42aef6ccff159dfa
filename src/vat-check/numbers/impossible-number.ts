import { ApiError } from '../../platform/http/responses/api-errors.ts';
import { hasAtMost } from '../../platform/values/characters.ts';
import { vatNumberFormats } from './vat-number-formats.ts';
import { type RegistryCode, registryOf, withoutSeparators } from './vat-number.ts';

/** Characters of a number as a caller writes it (rule K4). */
export const vatNumberMax = 64;

/** The reason why no registry can be queried for a number (the second list of rule K3). */
type Impossible =
  | `longer than ${typeof vatNumberMax} characters`
  | 'letters of another script'
  | 'no digit'
  | `no registry for ${string}`
  | 'not a country'
  | 'one character after the prefix'
  /** For a sign or a length that none of the others is about, the words of a hint. */
  | `form: expected ${string}`;

/** The 422 for a number that no registry can be queried for; the reason is in `Vatfx-Hint` (contract C4a). */
export function impossibleNumber(written: Written, known?: readonly RegistryCode[]): ApiError {
  return new ApiError('invalidInput', { 'vatfx-hint': whyImpossible(written, known) });
}

type Written = { readonly countryCode: string; readonly vatNumber: string };

/**
 * Why no registry can be queried for a number; of several reasons the first of {@link Impossible}.
 *
 * @param known - The countries that a registry answers for; by default those of VIES.
 */
export function whyImpossible(
  { countryCode, vatNumber }: Written,
  known?: readonly RegistryCode[],
): Impossible {
  if (!hasAtMost(vatNumber, vatNumberMax)) return `longer than ${vatNumberMax} characters`;
  const normal = vatNumber.normalize('NFKC');
  if (/(?![0-9A-Za-z])[\p{L}\p{N}]/u.test(normal)) return 'letters of another script';
  if (!/[0-9]/.test(normal)) return 'no digit';
  const country = countryCode.trim().toUpperCase();
  if (!/^[A-Za-z]{2}$/.test(countryCode.trim())) return 'not a country';
  const registryCode = registryOf(country, known);
  if (registryCode === undefined) return `no registry for ${country === 'UK' ? 'GB' : country}`;
  const written = withoutSeparators(vatNumber) ?? '';
  if (/^(?:[A-Z]{2})+[0-9]$/.test(written)) return 'one character after the prefix';
  return `form: expected ${vatNumberFormats[registryCode].words}`;
}
