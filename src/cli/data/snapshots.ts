import { formatInstant, type IsoDate, parseIsoDate } from '../../platform/time/time.ts';
import {
  decideHeld,
  findHeld,
  type HeldSnapshot,
  listHeld,
} from '../../platform/publication/held-store.ts';
import { readProspect } from '../../platform/publication/held-prospect.ts';
import { findRemark } from '../../platform/schedule/run-log.ts';
import { type Core, jobOf } from '../../composition/core.ts';
import { dataSets } from '../../composition/data-sets.ts';
import { allKinds, type DataSetKind } from '../../platform/publication/data-set-kinds.ts';
import {
  anyText,
  type Argument,
  changing,
  flag,
  type NamedCommand,
  reporting,
  required,
} from '../command/command.ts';
import { CommandFailure, UsageError } from '../command/report.ts';
import { describeHeld, examineHeld, type ExaminedHeld, toDocument } from './examine-held.ts';
import type { HeldDifference } from '../../platform/publication/held-difference.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { dateField } from '../../platform/fields/dates.ts';
import { busyFailure, leaseWaitMs, withCore } from '../running/with-core.ts';

const held = reporting({
  words: 'held',
  says: 'list the snapshots that wait for a decision, with the reasons',
  examples: ['snapshots held'],
  run: async (io) => {
    const { held: all, remarks } = await withCore(io, async (core) => ({
      held: await listProspects(core),
      remarks: await listRemarks(core),
    }));
    const notes = [
      ...remarks,
      ...(all.length === 0 ? [] : [`"${vatfx('snapshots show ID')}" shows what differs`]),
    ];
    return {
      ...(notes.length === 0 ? {} : { note: notes.join('\n') }),
      document: all.map(({ id, kind, version, reasons, heldAt, prospect }) => ({
        id,
        kind,
        version,
        reasons,
        heldAt,
        askedAgainAt: prospect.askedAgainAt,
      })),
      text: {
        rows: all.map(({ id, kind, version, heldAt, reasons, prospect }) => ({
          id,
          kind,
          version,
          'held at': heldAt,
          reasons: reasons.join('; '),
          'without you': prospect.sentence,
        })),
        empty: 'Nothing is held.',
      },
    };
  },
});

/** The held snapshots, and what becomes of each without a decision. */
async function listProspects({ db, clock, kinds }: Core) {
  const nowMs = clock.now();
  const held = await listHeld(db);
  return Promise.all(
    held.map(async (one) => {
      const { kind, version } = one;
      const prospect = kinds.includes(kind)
        ? await readProspect(db, dataSets[kind], { version, nowMs })
        : { askedAgainAt: null, sentence: `nothing, because ${kind} is not enabled or not known` };
      return { ...one, prospect };
    }),
  );
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

const idOrDate: Argument<string> = {
  says: 'its id, or its date if only one of that date is held',
  form: anyText,
};

const show = reporting({
  words: 'show <id-or-date>',
  says: 'what a held snapshot changes, compared with the newest stored day',
  examples: ['snapshots show held_3f9a1c5be0d27748', 'snapshots show 2026-11-20'],
  argument: idOrDate,
  run: async (io, { argument: named }) => {
    const examined = await withCore(io, async (core) => examineHeld(core, await find(core, named)));
    return {
      document: toDocument(examined),
      text: `${describeHeld(examined, io.stdout)}\n\nWithout a decision: ${examined.prospect.sentence}`,
    };
  },
});

/** A snapshot in which something vanishes for callers is published only with `--yes`. */
const approve = changing({
  words: 'approve <id-or-date>',
  says: 'publish a held snapshot, and print what it changes; this cannot be undone',
  examples: ['snapshots approve held_3f9a1c5be0d27748', 'snapshots approve 2026-11-20'],
  argument: idOrDate,
  options: { yes: flag('also if rates or all goods of a country, or a currency, vanish') },
  run: async (io, { argument: named, options, by }) => {
    return withCore(io, async (core) => {
      const examined = await examineHeld(core, await find(core, named));
      const { held, difference } = examined;
      const document = toDocument(examined);
      const text = describeHeld(examined, io.stdout);
      const { comparedWith, vanishes } = difference;
      const isPublishable = comparedWith === null || held.version > comparedWith;
      if (isPublishable && vanishes.length > 0 && options.yes !== true) {
        return { document, text, failure: explainRefusal(examined), failureCode: 2 };
      }
      const approved = { ...held, by, comparedWith };
      const run = await jobOf(core, held.kind).publishHeld(approved, leaseWaitMs);
      if (run === undefined) throw busyFailure(held.kind);
      if (run.outcome === 'failed') throw new CommandFailure(`not published: ${run.detail}`);
      const published = `${run.job} ${run.version} published; changes: ${run.changes}`;
      return {
        document: { ...run, difference: document },
        text: `${text}\n\n${published}; ${finality(difference)}`,
      };
    });
  },
});

function explainRefusal({ held, difference, prospect }: ExaminedHeld): string {
  return [
    `${held.kind} ${held.version} is not published, because something would vanish:`,
    ...difference.vanishes.map((sentence) => `- ${sentence}`),
    `To publish it nevertheless, add --yes: ${finality(difference)}. "${vatfx(`snapshots reject ${held.id}`)}" discards it.`,
    `Without a decision: ${prospect.sentence}`,
  ].join('\n');
}

function finality({ isAnnounced }: HeldDifference): string {
  return isAnnounced ? 'this cannot be undone; callers are told' : 'this cannot be undone';
}

/** The same content is not held again. */
const reject = changing({
  words: 'reject <id-or-date>',
  says: 'discard a held snapshot',
  examples: ['snapshots reject held_3f9a1c5be0d27748', 'snapshots reject 2026-11-20'],
  argument: idOrDate,
  run: async (io, { argument: named, by }) => {
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
  },
});

/** The versions were published by a wrong clock (contract C17a). */
const withdraw = changing({
  words: 'withdraw',
  says: 'take back published versions that are later than today, after a wrong clock has published them; caches may still hold them',
  examples: ['snapshots withdraw --after 2026-11-20'],
  options: {
    after: required(
      '<date>',
      'today or a later date; every later version is taken back',
      dateField,
    ),
  },
  run: async (io, { options: { after }, by }) => {
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
  },
});

export const snapshotCommands: readonly NamedCommand[] = [held, show, approve, reject, withdraw];

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
  return new CommandFailure(
    `${named} is not held; "${vatfx('snapshots held')}" lists the held snapshots`,
  );
}

/** The snapshot that is held of a date. Fails if there are several: each data set may hold one. */
async function findHeldOf(db: Core['db'], date: string): Promise<HeldSnapshot | undefined> {
  const held = (await listHeld(db)).filter(({ version }) => version === date);
  if (held.length <= 1) return held[0];
  const ids = held.map(({ kind, id }) => `${id} (${kind})`).join(' and ');
  throw new CommandFailure(`several snapshots of ${date} are held: ${ids}; name one by its id`);
}
