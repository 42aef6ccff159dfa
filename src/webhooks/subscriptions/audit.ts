import { type Operator, writeAudit } from '../../platform/database/audit.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Subscription } from './subscription.ts';

/** The time of a change and its author: the key of a caller, or an operator. */
export type RequestedChange = {
  readonly at: string;
  readonly keyId?: string;
  readonly operator?: Operator;
};

const described = ['url', 'events', 'description', 'headers', 'status'] as const;

/** Records a change of a subscription. */
export async function auditSubscription(
  tx: Tx,
  action: 'create' | 'change' | 'remove' | 'rotate-secret',
  subject: { readonly id: string; readonly by: RequestedChange; readonly detail?: object },
): Promise<void> {
  const { id, by, detail } = subject;
  const { at, keyId, operator } = by;
  const caller = keyId === undefined ? undefined : { actor: keyId, reason: null };
  await writeAudit(tx, {
    at,
    by: operator ?? caller,
    action: `webhooks.${action}`,
    subject: id,
    detail: { ...(keyId !== undefined && { keyId }), ...detail },
  });
}

/**
 * Records which fields of a subscription changed; nothing if none did. Of headers that were given the values may be other
 * ones, although the names are the same.
 */
export async function auditChange(
  tx: Tx,
  by: RequestedChange,
  {
    before,
    after,
    hasNewHeaders,
  }: {
    readonly before: Subscription;
    readonly after: Subscription;
    readonly hasNewHeaders: boolean;
  },
): Promise<void> {
  const changed = described.filter(
    (name) => String(before[name]) !== String(after[name]) || (name === 'headers' && hasNewHeaders),
  );
  if (changed.length === 0) return;
  const detail = { changed, before: describe(before), after: describe(after) };
  await auditSubscription(tx, 'change', { id: after.id, by, detail });
}

/**
 * A subscription in the audit: of its headers the names. Its URL is cut to the origin, because path and query may hold a
 * secret.
 */
export function describe({ url, events, headers, status }: Subscription): object {
  const named = headers.length === 0 ? {} : { headers };
  return { receiver: new URL(url).origin, events, ...named, status };
}
