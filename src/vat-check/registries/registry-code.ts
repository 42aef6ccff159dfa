import type { ViesCode } from '../numbers/vat-number-formats.ts';
import { isViesCode, type RegistryCode, type VatNumber } from '../numbers/vat-number.ts';
import type { RegistryName } from './registry.ts';

/** The registries of the countries that VIES does not answer for. */
const outsideVies: Readonly<Record<Exclude<RegistryCode, ViesCode>, RegistryName>> = { GB: 'hmrc' };

/** The registry that is asked about numbers of a country unless a caller names another one (rule M3). */
export function usualRegistry(code: RegistryCode): RegistryName {
  const outside: Readonly<Partial<Record<RegistryCode, RegistryName>>> = outsideVies;
  return outside[code] ?? 'vies';
}

/**
 * A country with the registry that is asked, as one column of checks and watches keeps both: `AT` for the usual registry,
 * `bzst:AT` for another one. A replica of version 0.3 knows no such code, so it never attempts such a check at VIES.
 */
export function toStoredCode(code: RegistryCode, registry: RegistryName): string {
  return registry === usualRegistry(code) ? code : `${registry}:${code}`;
}

/** Reads {@link toStoredCode}. */
export function readStoredCode(stored: string): {
  readonly registry: RegistryName;
  readonly registryCode: RegistryCode;
} {
  const [code, named] = stored.split(':').toReversed() as [RegistryCode, RegistryName?];
  return { registry: named ?? usualRegistry(code), registryCode: code };
}

/** Every code under which checks of a country may be stored, the usual one first. */
export function storedCodesOf(code: string): readonly string[] {
  return isViesCode(code) ? [code, toStoredCode(code as RegistryCode, 'bzst')] : [code];
}

/** The columns of a number that a registry is asked about. */
export function storedNumber(
  { registryCode, number }: VatNumber,
  registry: RegistryName = usualRegistry(registryCode),
): { readonly registry_code: string; readonly number: string } {
  return { registry_code: toStoredCode(registryCode, registry), number };
}
