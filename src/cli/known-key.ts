import { findKeyById } from '../access/authentication/key-store.ts';
import type { Db } from '../platform/database/database.ts';
import { CommandFailure } from './report.ts';

/** Fails if an operator names a key that does not exist. Undefined names none. */
export async function requireKnownKey(db: Db, id: string | undefined): Promise<void> {
  if (id !== undefined && (await findKeyById(db, id)) === undefined) throw unknownKey(id);
}

export function unknownKey(id: string): CommandFailure {
  return new CommandFailure(`there is no key ${id}; "keys list" lists them`);
}
