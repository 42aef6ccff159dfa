import { formatInstant } from '../platform/time.ts';
import {
  decideHeld,
  findHeld,
  type HeldSnapshot,
  listHeld,
  type PublicationKind,
} from '../platform/publication/held-store.ts';
import type { RunReport } from '../platform/schedule/run-log.ts';
import type { Core } from '../compose.ts';
import { CommandFailure, formatTable, report } from './report.ts';
import { leaseWaitMs, withCore } from './with-core.ts';

/** Lists what the plausibility gate holds. */
export async function listHeldSnapshots(options: { readonly json?: boolean }): Promise<void> {
  const held = await withCore(async ({ db }) => listHeld(db));
  const text = formatTable(
    ['id', 'kind', 'version', 'held at', 'reasons'],
    held.map((h) => [h.id, h.kind, h.version, h.heldAt, h.reasons.join('; ')]),
    'Nothing is held.',
  );
  const document = held.map(({ id, kind, version, reasons, heldAt }) => ({
    id,
    kind,
    version,
    reasons,
    heldAt,
  }));
  report(options.json, document, text);
}

const publishers: Readonly<
  Record<PublicationKind, (core: Core, held: HeldSnapshot) => Promise<RunReport | undefined>>
> = {
  rates: async ({ rates }, held) => rates.publishHeld(held, leaseWaitMs),
  fx: async ({ fx }, held) => fx.publishHeld(held, leaseWaitMs),
};

/** Publishes a held snapshot. */
export async function approve(id: string, options: { readonly json?: boolean }): Promise<void> {
  const run = await withCore(async (core) => {
    const held = await find(core, id);
    return publishers[held.kind](core, held);
  });
  if (run === undefined) throw new CommandFailure('a run has been under way for over a minute');
  if (run.outcome === 'failed') throw new CommandFailure(`not published: ${run.detail}`);
  report(options.json, run, `${run.job} ${run.version} published; changes: ${run.changes}`);
}

/** Discards a held snapshot; the same content will not be held again. */
export async function reject(id: string, options: { readonly json?: boolean }): Promise<void> {
  const held = await withCore(async (core) => {
    const found = await find(core, id);
    const at = formatInstant(core.clock.now());
    await core.db
      .transaction()
      .execute(async (tx) => decideHeld(tx, { id, state: 'rejected', at }));
    return found;
  });
  const { kind, version } = held;
  report(options.json, { id, kind, version, state: 'rejected' }, `${kind} ${version} rejected`);
}

async function find({ db }: Core, id: string): Promise<HeldSnapshot> {
  const held = await findHeld(db, id);
  if (held === undefined) {
    throw new CommandFailure(`${id} is not held; "snapshots held" lists what is`);
  }
  if (!Object.hasOwn(publishers, held.kind)) {
    throw new CommandFailure(
      `${id} is a snapshot of ${held.kind}, which this version does not know; use the version that held it`,
    );
  }
  return held;
}
