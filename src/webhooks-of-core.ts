import type { Core } from './composition.ts';
import { dataSetKinds } from './platform/data-set-kinds.ts';
import type { SecretKeys } from './platform/encryption/secret-keys.ts';
import { createEventChanges } from './rates/event-changes.ts';
import { createWebhooks, type Webhooks } from './webhooks/create-webhooks.ts';

/** Creates webhooks with the data of other features that their bodies need. */
export async function createWebhooksOf(core: Core, secretKeys: SecretKeys): Promise<Webhooks> {
  const { db, watch } = core;
  return createWebhooks({
    ...core,
    secretKeys,
    ...createEventChanges(db),
    catchUp: async () => {
      await watch.poll();
      for (const kind of dataSetKinds) await watch.untilAllFollow(kind);
    },
  });
}
