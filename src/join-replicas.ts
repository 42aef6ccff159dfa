import type { Core } from './composition.ts';
import { Presence } from './platform/database/replicas.ts';
import { SecretKeys } from './platform/encryption/secret-keys.ts';
import { systemClock } from './platform/time.ts';

/** Registers this process among the replicas, with the ids of its secret keys. */
export async function joinReplicas(
  core: Core,
  starting: AsyncDisposableStack,
): Promise<{ readonly presence: Presence; readonly secretKeys: SecretKeys }> {
  const { config, db, watch, redis } = core;
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
  return { presence, secretKeys };
}
