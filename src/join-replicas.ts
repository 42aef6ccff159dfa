import type { Core } from './composition.ts';
import { engineOf } from './platform/database/dialect.ts';
import { Presence } from './platform/database/replicas.ts';
import { SecretKeys } from './platform/encryption/secret-keys.ts';
import { systemClock } from './platform/time.ts';

/** Registers this process among the replicas, with the ids of its secret keys, and follows their changes. */
export async function joinReplicas(
  core: Core,
  starting: AsyncDisposableStack,
): Promise<{ readonly presence: Presence; readonly secretKeys: SecretKeys }> {
  const { config, db, watch, redis, log } = core;
  const secretKeys = SecretKeys.load(config);
  await redis?.start();
  const presence = new Presence({
    db,
    clock: systemClock,
    watch,
    secretKeys: secretKeys.ids,
  });
  starting.defer(async () => presence.leave());
  await presence.join();
  if (engineOf(db).notify !== undefined) {
    // Loaded here because it loads the PostgreSQL driver.
    const { RevisionListener } = await import('./platform/database/revision-listener.ts');
    const onNews = (): void => void watch.poll();
    const listener = new RevisionListener(config.databaseUrl.reveal(), { onNews, log });
    starting.defer(() => listener.stop());
    void listener.start();
  }
  return { presence, secretKeys };
}
