import { formatInstant, type IsoDate, parseIsoDate } from '../platform/time/time.ts';
import {
  decideHeld,
  findHeld,
  type HeldSnapshot,
  listHeld,
} from '../platform/publication/held-store.ts';
import { findRemark } from '../platform/schedule/run-log.ts';
import { type Core, jobOf } from '../composition/core.ts';
import { dataSets } from '../composition/data-sets.ts';
import { allKinds, type DataSetKind } from '../platform/publication/data-set-kinds.ts';
import { type Io, CommandFailure, type Report, UsageError } from './report.ts';
import { operatorOf, type ReasonOption } from './operator.ts';
import { readDate } from './options.ts';
import { busyFailure, leaseWaitMs, withCore } from './with-core.ts';

/** Lists the snapshots that the plausibility gate holds. */
export async function listHeldSnapshots(io: Io): Promise<Report> {
  const { held, remarks } = await withCore(io, async (core) => ({
    held: await listHeld(core.db),
    remarks: await listRemarks(core),
  }));
  return {
    ...(remarks.length === 0 ? {} : { note: remarks.join('\n') }),
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

/** The remarks on the newest publications, which are not held: a sentence for each data set that has one. */
async function listRemarks({ db, kinds }: Core): Promise<readonly string[]> {
  const remarks: string[] = [];
  for (const kind of kinds) {
    const remark = await findRemark(db, kind);
    if (remark !== null) remarks.push(`Published ${kind}, not held: ${remark}`);
  }
  return remarks;
}

/** Publishes a held snapshot, which is named by its id or its date. */
export async function approve(io: Io, named: string, options: ReasonOption): Promise<Report> {
  const by = operatorOf(io, options);
  const run = await withCore(io, async (core) => {
    const held = await find(core, named);
    const published = await jobOf(core, held.kind).publishHeld({ ...held, by }, leaseWaitMs);
    if (published === undefined) throw busyFailure(held.kind);
    return published;
  });
  if (run.outcome === 'failed') throw new CommandFailure(`not published: ${run.detail}`);
  return {
    document: run,
    text: `${run.job} ${run.version} published; changes: ${run.changes}`,
  };
}

/** Discards a held snapshot, which is named by its id or its date; the same content is not held again. */
export async function reject(io: Io, named: string, options: ReasonOption): Promise<Report> {
  const by = operatorOf(io, options);
  const { id, kind, version } = await withCore(io, async (core) => {
    const held = await find(core, named);
    const at = formatInstant(core.clock.now());
    const isDecided = await core.db
      .transaction()
      .execute(async (tx) => decideHeld(tx, { id: held.id, state: 'rejected', at, by }));
    // Another operator, or a newer snapshot of the date, may have been first.
    if (!isDecided) throw notHeld(held.id);
    return held;
  });
  return {
    document: { id, kind, version, state: 'rejected' },
    text: `${kind} ${version} rejected`,
  };
}

/** Takes back every version after a date, which is today or later: a wrong clock has published them (contract C17a). */
export async function withdraw(
  io: Io,
  options: ReasonOption & { readonly after: string },
): Promise<Report> {
  const after = readDate('--after', options.after);
  const by = operatorOf(io, options);
  const withdrawn = await withCore(io, async (core) => {
    const nowMs = core.clock.now();
    for (const kind of core.kinds) requireTodayOrLater(after, dataSets[kind].today(nowMs));
    const taken: { kind: DataSetKind; versions: readonly string[] }[] = [];
    for (const kind of core.kinds) {
      const versions = await jobOf(core, kind).withdraw({ after, by }, leaseWaitMs);
      if (versions === undefined) throw busyFailure(kind);
      if (versions.length > 0) taken.push({ kind, versions });
    }
    return taken;
  });
  if (withdrawn.length === 0) throw new CommandFailure(`no version is later than ${after}`);
  const note =
    'Answers for these dates were immutable: caches may hold them for up to a year. Receivers and readers of ' +
    'events that got one about them are not told.';
  return {
    document: { withdrawn, note },
    text: [...withdrawn.map(describeWithdrawn), note].join('\n'),
  };
}

function requireTodayOrLater(after: IsoDate, today: IsoDate): void {
  if (after >= today) return;
  throw new UsageError(
    `--after is ${after}, expected ${today}, which is today by the clock of this machine, or a later date: ` +
      'versions of today and earlier cannot be taken back',
  );
}

function describeWithdrawn(of: {
  readonly kind: DataSetKind;
  readonly versions: readonly string[];
}): string {
  const { kind, versions } = of;
  const [first] = versions;
  return versions.length === 1
    ? `${kind} ${first} taken back`
    : `${kind} ${first} to ${versions.at(-1)} taken back: ${versions.length} versions`;
}

async function find({ db, kinds }: Core, named: string): Promise<HeldSnapshot> {
  const date = parseIsoDate(named);
  const held = date === undefined ? await findHeld(db, named) : await findHeldOf(db, date);
  if (held === undefined) throw notHeld(named);
  if (!kinds.includes(held.kind)) {
    throw new CommandFailure(
      allKinds.includes(held.kind)
        ? `${held.id} is of the bank ${held.kind}, which is not enabled; add it to FX_BANKS`
        : `${held.id} is a snapshot of ${held.kind}, which this version does not know; use the version that held it`,
    );
  }
  return held;
}

function notHeld(named: string): CommandFailure {
  return new CommandFailure(`${named} is not held; "snapshots held" lists the held snapshots`);
}

/** The snapshot that is held of a date. Fails if there are several: each data set may hold one. */
async function findHeldOf(db: Core['db'], date: string): Promise<HeldSnapshot | undefined> {
  const held = (await listHeld(db)).filter(({ version }) => version === date);
  if (held.length <= 1) return held[0];
  const ids = held.map(({ kind, id }) => `${id} (${kind})`).join(' and ');
  throw new CommandFailure(`several snapshots of ${date} are held: ${ids}; name one by its id`);
}
