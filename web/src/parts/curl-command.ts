import { serviceAddress } from '../service-address.ts';

/** The curl command for a path. The key is a shell variable, so that the copied command does not contain it. */
export function printCurl(path: string): string {
  // A path may have a part of the address that a visitor was sent, and encodeURIComponent leaves quotes as they are.
  const url = `${serviceAddress}${path}`.replaceAll("'", '%27');
  return `curl -H "Authorization: Bearer $KEY" '${url}'`;
}
