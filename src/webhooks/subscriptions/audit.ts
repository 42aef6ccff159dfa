import { writeAudit } from '../../platform/database/audit.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Subscription } from './subscription.ts';

/** The time of a change and the key that made it; an operator's command has no `keyId`. */
export type RequestedChange = { readonly at: string; readonly keyId?: string };

const described = ['url', 'events', 'description', 'status'] as const;

/** Records a change of a subscription. */
export async function auditSubscription(
  tx: Tx,
  action: 'create' | 'change' | 'remove' | 'rotate-secret',
  subject: { readonly id: string; readonly by: RequestedChange; readonly detail?: object },
): Promise<void> {
  const { id, by, detail } = subject;
  const { at, ...key } = by;
  await writeAudit(tx, {
    at,
    action: `webhooks.${action}`,
    subject: id,
    detail: { ...key, ...detail },
  });
}

/** Records which fields of a subscription changed; nothing if none did. */
export async function auditChange(
  tx: Tx,
  by: RequestedChange,
  { before, after }: { readonly before: Subscription; readonly after: Subscription },
): Promise<void> {
  const changed = described.filter((name) => String(before[name]) !== String(after[name]));
  if (changed.length === 0) return;
  const detail = { changed, before: describe(before), after: describe(after) };
  await auditSubscription(tx, 'change', { id: after.id, by, detail });
}

/** A subscription in the audit. Its URL is cut to the origin, because path and query may hold a secret. */
export function describe({ url, events, status }: Subscription): object {
  return { receiver: new URL(url).origin, events, status };
}
