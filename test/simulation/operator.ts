import { ecb } from '../../src/fx/ecb/ecb.ts';
import { correctPublication } from '../../src/fx/publishing/corrections.ts';
import { listCorrections } from '../../src/platform/publication/correction-store.ts';
import {
  decideHeld,
  type HeldSnapshot,
  listHeld,
} from '../../src/platform/publication/held-store.ts';
import { type Core, jobOf } from '../../src/composition/core.ts';
import { dataSetKinds } from '../../src/platform/publication/data-set-kinds.ts';
import { addDays, formatInstant, isoDate, type IsoDate } from '../../src/platform/time/time.ts';
import { backfillRates, newestBackfillDate } from '../../src/rates/backfill.ts';
import { isPublicationDay } from '../../src/sandbox/ecb/calendar.ts';
import type { Seeded } from './seeded.ts';
import type { World } from './world.ts';

/** Longest wait for a run of the server that is under way. */
const waitMs = 2_000;

/**
 * An operator at a terminal: runs commands beside the server, each with a composition of its own.
 *
 * The server continues after a command has ended: within one process a writer cannot wait for another connection.
 */
export class Operator {
  readonly #world: World;
  readonly #chance: Seeded;
  readonly #firstDay: IsoDate;

  constructor(world: World, chance: Seeded, firstDay: IsoDate) {
    this.#world = world;
    this.#chance = chance;
    this.#firstDay = firstDay;
  }

  /** Lists held snapshots and decides on some of them. */
  async decide(): Promise<void> {
    await this.#world.command(async (core) => {
      for (const held of await listHeld(core.db)) {
        if (this.#chance.chance(0.3)) continue;
        if (this.#chance.chance(0.5) && isConceivable(core, held)) await approve(core, held);
        else await reject(core, held);
      }
    });
  }

  async approveAll(): Promise<void> {
    await this.#world.command(async (core) => {
      for (const held of await listHeld(core.db)) {
        if (isConceivable(core, held)) await approve(core, held);
        else await reject(core, held);
      }
    });
  }

  /** A random command of an operator. */
  async doSomething(): Promise<void> {
    const chance = this.#chance;
    await this.#world.command(async (core) => {
      const command = chance.pick<() => Promise<unknown>>([
        async () => backfill(core, addDays(this.#firstDay, -chance.integer(1, 40)), chance),
        ...dataSetKinds.map((kind) => async () => core.jobs[kind].refresh(waitMs)),
        async () => core.jobs.fx.backfill(addDays(this.#firstDay, -15), waitMs),
        async () => applyFxCorrections(core),
      ]);
      return command();
    });
  }
}

/** An operator approves no exchange rates of a Saturday or of tomorrow; other data sets have no such days. */
function isConceivable({ clock }: Core, { kind, version }: HeldSnapshot): boolean {
  if (kind !== 'fx') return true;
  return isPublicationDay(isoDate(version)) && version <= formatInstant(clock.now()).slice(0, 10);
}

async function approve(core: Core, held: HeldSnapshot): Promise<void> {
  await jobOf(core, held.kind).publishHeld(held, waitMs);
}

async function reject({ db, clock }: Core, { id }: HeldSnapshot): Promise<void> {
  const at = formatInstant(clock.now());
  await db.transaction().execute(async (tx) => decideHeld(tx, { id, state: 'rejected', at }));
}

async function backfill(core: Core, from: IsoDate, chance: Seeded): Promise<void> {
  const { db, tedb, clock, config } = core;
  const newest = await newestBackfillDate(db, clock.now());
  const to = addDays(newest, -chance.integer(0, 3));
  if (from > to) return;
  const { flagCdnUrl } = config;
  const { signal } = new AbortController();
  const parts = { db, tedb, clock, flagCdnUrl, signal, onProgress: () => {} };
  await backfillRates({ from, to }, parts);
}

/** Applies what `fx corrections` lists; for rates there is no such command. */
async function applyFxCorrections({ db, clock }: Core): Promise<void> {
  const open = await listCorrections(db, 'fx');
  for (const date of new Set(open.map(({ version }) => version))) {
    await correctPublication(db, ecb, { date: isoDate(date), at: formatInstant(clock.now()) });
  }
}
