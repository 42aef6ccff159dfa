import type { Requester } from '../numbers/requester.ts';
import { registryCodes } from '../numbers/registry-codes.ts';
import type { RegistryCode, VatNumber } from '../numbers/vat-number.ts';
import { registries } from './registries.ts';
import type { RegistryName } from './registry.ts';
import { toStoredCode, usualRegistry } from './registry-code.ts';
import type { KnownRegistries } from './known.ts';

/** The registries that this service asks (REGISTRIES, rule M2). */
export class EnabledRegistries implements KnownRegistries {
  readonly names: readonly RegistryName[];
  readonly countries: readonly RegistryCode[];

  constructor(names: readonly RegistryName[] = ['vies']) {
    this.names = names;
    this.countries = registryCodes.filter((code) => names.includes(usualRegistry(code)));
  }

  has(name: RegistryName): boolean {
    return this.names.includes(name);
  }

  listFor(code: RegistryCode): readonly RegistryName[] {
    const usual = usualRegistry(code);
    // A German number is one of the European Union, so the BZSt may be named for it, and refuses it (rule M3).
    const others = Object.values(registries).filter(
      ({ name, countries }) =>
        name !== usual && (countries.includes(code) || (name === 'bzst' && code === 'DE')),
    );
    return [usual, ...others.map(({ name }) => name)];
  }

  answersFor(name: RegistryName, { registryCode }: VatNumber): boolean {
    return registries[name].countries.includes(registryCode);
  }

  accepts(name: RegistryName, { registryCode }: Requester): boolean {
    return registries[name].requesters.includes(registryCode);
  }

  /** The codes under which checks of a registry are stored. */
  storedCodes(name: RegistryName): readonly string[] {
    return registries[name].countries.map((code) => toStoredCode(code, name));
  }
}
