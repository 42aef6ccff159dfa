import { formatInstant } from '../platform/time.ts';
import {
  decideHeld,
  findHeld,
  type HeldSnapshot,
  listHeld,
} from '../platform/publication/held-store.ts';
import type { Core } from '../composition.ts';
import { dataSetKinds } from '../platform/data-set-kinds.ts';
import type { Io } from './io.ts';
import { CommandFailure, type Report } from './report.ts';
import { busyFailure, leaseWaitMs, withCore } from './with-core.ts';

/** Lists the snapshots that the plausibility gate holds. */
export async function listHeldSnapshots(io: Io): Promise<Report> {
  const held = await withCore(io, async ({ db }) => listHeld(db));
  return {
    document: held.map(({ id, kind, version, reasons, heldAt }) => ({
      id,
      kind,
      version,
      reasons,
      heldAt,
    })),
    text: {
      rows: held.map(({ id, kind, version, heldAt, reasons }) => ({
        id,
        kind,
        version,
        'held at': heldAt,
        reasons: reasons.join('; '),
      })),
      empty: 'Nothing is held.',
    },
  };
}

/** Publishes a held snapshot. */
export async function approve(io: Io, id: string): Promise<Report> {
  const run = await withCore(io, async (core) => {
    const held = await find(core, id);
    const published = await core.jobs[held.kind].publishHeld(held, leaseWaitMs);
    if (published === undefined) throw busyFailure(held.kind);
    return published;
  });
  if (run.outcome === 'failed') throw new CommandFailure(`not published: ${run.detail}`);
  return {
    document: run,
    text: `${run.job} ${run.version} published; changes: ${run.changes}`,
  };
}

/** Discards a held snapshot; the same content is not held again. */
export async function reject(io: Io, id: string): Promise<Report> {
  const { kind, version } = await withCore(io, async (core) => {
    const held = await find(core, id);
    const at = formatInstant(core.clock.now());
    await core.db
      .transaction()
      .execute(async (tx) => decideHeld(tx, { id, state: 'rejected', at }));
    return held;
  });
  return {
    document: { id, kind, version, state: 'rejected' },
    text: `${kind} ${version} rejected`,
  };
}

async function find({ db }: Core, id: string): Promise<HeldSnapshot> {
  const held = await findHeld(db, id);
  if (held === undefined) {
    throw new CommandFailure(`${id} is not held; "snapshots held" lists the held snapshots`);
  }
  if (!dataSetKinds.includes(held.kind)) {
    throw new CommandFailure(
      `${id} is a snapshot of ${held.kind}, which this version does not know; use the version that held it`,
    );
  }
  return held;
}
