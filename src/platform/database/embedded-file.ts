import { resolve } from 'node:path';

/** The file of a `file:` URL, relative to the working directory; undefined for PostgreSQL, which has none. */
export function embeddedFileOf(databaseUrl: string): string | undefined {
  return databaseUrl.startsWith('file:') ? resolve(databaseUrl.slice('file:'.length)) : undefined;
}
