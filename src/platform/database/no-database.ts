import { withoutSecrets } from '../http/network.ts';
import { embeddedFileOf } from './sqlite/embedded-file.ts';

/** A command needs a database, and there is none of vatfx (rule O15). */
export class NoDatabaseError extends Error {
  override readonly name = 'NoDatabaseError';

  constructor(databaseUrl: string) {
    super(
      `no database of vatfx at ${placeOf(databaseUrl)}; run this in the folder of the service, or set DATABASE_URL`,
    );
  }
}

/** Where the database of a `DATABASE_URL` is, for a sentence: an absolute path, or an address without user and password. */
export function placeOf(databaseUrl: string): string {
  return embeddedFileOf(databaseUrl) ?? withoutSecrets(new URL(databaseUrl));
}
