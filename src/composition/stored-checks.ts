import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Core } from './core.ts';
import type { SecretKeys } from '../platform/encryption/secret-keys.ts';
import type { MostRequests } from '../platform/http/request-cost.ts';
import type { Charge } from '../platform/http/routes/routes.ts';
import type { Config } from '../platform/config/options.ts';
import { requestersOf } from '../vat-check/numbers/requester.ts';
import { EnabledRegistries } from '../vat-check/registries/enabled.ts';
import type { ServiceDefaults } from '../vat-check/stored/requests/check-route.ts';
import { addBatchRoutes } from '../vat-check/stored/batches/batch-routes.ts';
import { announceChecked } from '../vat-check/stored/check-events.ts';
import { createStoredChecks, type StoredChecks } from '../vat-check/stored/create-stored-checks.ts';
import {
  type CheckEvidence,
  createCheckEvidence,
} from '../vat-check/stored/evidence/check-evidence.ts';
import { addEvidenceRoutes } from '../vat-check/stored/evidence/routes.ts';
import { inOrder, type OnEnded, type OnReused } from '../vat-check/stored/on-ended.ts';
import { createRetention } from '../vat-check/stored/retention.ts';
import { addStoredCheckRoutes } from '../vat-check/stored/requests/routes.ts';
import { addWatchRoutes } from '../vat-check/watches/routes.ts';
import { announceObserved } from '../vat-check/watches/watch-events.ts';
import { deleteEvents } from '../webhooks/delete-events.ts';
import { announceAll } from '../events/outbox.ts';

/** Creates stored checks with all consequences of their ends, for the server and for commands. */
export function createStored(
  core: Core,
  evidence: Pick<CheckEvidence, 'signEnded' | 'signReused'>,
): StoredChecks {
  const { viesTimeoutMs: timeoutMs, viesBackgroundPerSecond: perSecond } = core.config;
  const { viesCallsPerDay: perDay } = core.config;
  const announceEnds = announceChecked(announceAll);
  const consequences: readonly OnEnded[] = [
    async (...ended) => evidence.signEnded(...ended),
    async (tx, check) => announceEnds(tx, [check]),
    announceObserved(announceAll),
    async (_, { status, endedAt, expiresAt }) => {
      // A check whose key has ended expires before its time.
      const isTimeOver = endedAt !== null && endedAt >= expiresAt;
      if (status === 'expired' && isTimeOver) core.metrics.expiredChecks.inc();
    },
  ];
  const onReused: OnReused = {
    sign: async (...reuses) => evidence.signReused(...reuses),
    announce: announceEnds,
  };
  const onEnded = inOrder(consequences);
  const enabled = new EnabledRegistries(core.config.registries);
  return createStoredChecks({ ...core, enabled, onEnded, onReused, timeoutMs, perSecond, perDay });
}

/** Creates stored checks and their evidence for a server. */
export function createStoredWithEvidence(
  core: Core,
  secretKeys: SecretKeys,
): Pick<StoredRouteParts, 'storedChecks' | 'evidence'> {
  const evidence = createCheckEvidence({ ...core, secretKeys });
  return { evidence, storedChecks: createStored(core, evidence) };
}

/** Makes the tick that deletes old checks. */
export function createRetentionOf(core: Core): () => Promise<void> {
  const { checksRetentionDays: retentionDays } = core.config;
  return createRetention({ ...core, retentionDays, onDeleted: deleteEvents });
}

/** Requesters and registries for a check whose caller names none, from the settings. */
export function serviceDefaultsOf(config: Config): ServiceDefaults {
  return { ofService: requestersOf(config), known: new EnabledRegistries(config.registries) };
}

export type StoredRouteParts = {
  readonly charge: Charge;
  readonly mostOf: (request: FastifyRequest) => MostRequests;
  readonly storedChecks: StoredChecks;
  readonly evidence: CheckEvidence;
};

/** Adds the routes of stored checks and of watches to the API. */
export function addRoutesOfStored(
  api: FastifyInstance,
  { db, clock, config }: Core,
  parts: StoredRouteParts,
): void {
  const service = serviceDefaultsOf(config);
  addStoredCheckRoutes(api, { ...parts, db, clock, service, onDeleted: deleteEvents });
  addBatchRoutes(api, { ...parts, db, service });
  addEvidenceRoutes(api, { ...parts, db });
  addWatchRoutes(api, { ...parts, db, clock, service, onDeleted: deleteEvents });
}
