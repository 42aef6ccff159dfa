import { type RegistryCode, vatNumberFormats } from './vat-number-formats.ts';

/** The countries of all registries, enabled or not. */
export const registryCodes = Object.keys(vatNumberFormats) as readonly RegistryCode[];
