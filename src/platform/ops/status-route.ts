import type { FastifyInstance } from 'fastify';
import type { ValueOf } from '../fields/schema.ts';
import { printAnswer } from '../http/routes/define-route.ts';
import { readAs } from '../http/routes/read-request.ts';
import { addChargedRoute, type Charge } from '../http/routes/routes.ts';
import { formatInstant } from '../time/time.ts';
import { describeDataSets, readIfAnswering, readStoredStatuses } from './data-set-status.ts';
import { getStatus } from './definitions.ts';
import type { StatusSources } from './status.ts';

/**
 * `/status` on the API port: freshness and health, for callers.
 *
 * Every key may read it. So it has counts instead of held snapshots and corrections, and nothing about
 * subscriptions, deliveries, processes or engines: these are on the operations port. Of the reason of a failed run it
 * has a code; the text may contain addresses and settings.
 */
export function addStatusRoute(app: FastifyInstance, sources: StatusSources, charge: Charge): void {
  addChargedRoute(app, '/status', {
    ...readAs(getStatus),
    scope: 'read',
    charge,
    answer: async (_, __, reply) =>
      reply
        .header('cache-control', 'private, max-age=10')
        .type('application/json; charset=utf-8')
        .send(printAnswer(getStatus, await readPublicStatus(sources))),
  });
}

type PublicStatus = ValueOf<NonNullable<(typeof getStatus)['answer']['schema']>>;

/** The state of VIES as this process knows it. */
type Vies = Pick<PublicStatus['registry'], 'blockedUntil' | 'reason'> &
  Pick<PublicStatus, 'memberStates'>;

async function readPublicStatus(sources: StatusSources): Promise<PublicStatus> {
  const nowMs = sources.clock.now();
  const stored = await readIfAnswering(sources, async () => ({
    dataSets: await readStoredStatuses(sources),
    unknownTerritories: await sources.readUnknownTerritories(),
    registry: await sources.readRegistryWork(),
  }));
  const vies = sources.describeUpstreams()['vies'] as Partial<Vies> | undefined;
  const dataSets = describeDataSets(sources.dataSets, stored?.dataSets, nowMs);
  return {
    now: formatInstant(nowMs),
    demo: sources.isDemo,
    dataSets: Object.fromEntries(
      Object.entries(dataSets).map(([kind, { held, corrections, ...shown }]) => [
        kind,
        { ...shown, heldCount: held?.length ?? null, correctionCount: corrections?.length ?? null },
      ]),
    ),
    registry: {
      blockedUntil: vies?.blockedUntil ?? null,
      reason: vies?.reason ?? null,
      ...(stored?.registry ?? noWork),
    },
    memberStates: vies?.memberStates ?? {},
    database: { answering: stored !== undefined && !sources.watch.isLost },
    unknownTerritories: stored?.unknownTerritories ?? null,
  };
}

const noWork = { callsToday: null, waitingChecks: null, estimatedDoneAt: null };
