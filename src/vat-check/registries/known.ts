import type { Requester } from '../numbers/requester.ts';
import { type RegistryCode, viesCodes } from '../numbers/vat-number-formats.ts';
import { isViesCode, type VatNumber } from '../numbers/vat-number.ts';
import type { RegistryName } from './registry.ts';

/** The registries as the reader of a request knows them. The console reads rows with it, and has no code of the registries. */
export type KnownRegistries = {
  /** The countries whose usual registry is enabled. */
  readonly countries: readonly RegistryCode[];
  readonly has: (name: RegistryName) => boolean;
  /** The registries that may be named for a country, enabled or not; the usual one first. */
  readonly listFor: (code: RegistryCode) => readonly RegistryName[];
  readonly answersFor: (name: RegistryName, vatNumber: VatNumber) => boolean;
  /** Whether a requester may ask a registry. */
  readonly accepts: (name: RegistryName, requester: Requester) => boolean;
};

/** VIES alone. */
export const viesAlone: KnownRegistries = {
  countries: viesCodes,
  has: (name) => name === 'vies',
  listFor: () => ['vies'],
  answersFor: () => true,
  accepts: (_, { registryCode }) => registryCode === 'EU' || isViesCode(registryCode),
};

/** `vies, hmrc or bzst`. */
export function registriesInWords(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length === 1 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}
