import { readVersion } from '../version.ts';

/**
 * The `User-Agent` of every request to TEDB, the ECB and VIES (contract C34): `vatfx/1.2.3 (mailto:ops@shop.example)`.
 *
 * `contact` is the setting CONTACT, an address or URL of the operator; empty for none.
 */
export function userAgentOf(contact: string): string {
  const product = `vatfx/${readVersion()}`;
  return contact === '' ? product : `${product} (${contact})`;
}
