import { type RawBuilder, sql, type SqlBool } from 'kysely';

/**
 * The owner of the checks that an operator creates on the command line. It is no API key: no caller can read these
 * checks, none is charged for them, and they do not end with a key.
 */
export const operatorId = 'operator';

/** Whether the owner in a column works: the operator, or an API key that has neither been revoked nor expired. */
export function isWorking(ownerId: RawBuilder<string>, now: string): RawBuilder<SqlBool> {
  return sql`(${ownerId} = ${operatorId} or exists (
    select 1 from api_keys as known where known.id = ${ownerId}
      and known.revoked_at is null and (known.expires_at is null or known.expires_at > ${now})
  ))`;
}
