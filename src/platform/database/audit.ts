import { randomUUID } from 'node:crypto';
import type { Tx } from './database.ts';

/** Records what an operator's hand did, in the transaction that does it. */
export async function writeAudit(
  tx: Tx,
  entry: {
    readonly at: string;
    readonly action: string;
    readonly subject: string;
    readonly detail: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  await tx
    .insertInto('audit')
    .values({
      id: `aud_${randomUUID()}`,
      at: entry.at,
      action: entry.action,
      subject: entry.subject,
      detail: JSON.stringify(entry.detail),
    })
    .execute();
}
