import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../../composition/server.ts';
import { addDays, dateIn, momentIn } from '../../platform/time/time.ts';
import { systemTimers, type Timers } from '../../platform/time/timers.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

export const daysShown = 21;
/** Days before today on which Germany's registry becomes unavailable; it is available again a day later. */
const outageDaysAgo = 2;
const minuteMs = 60_000;
/** Real time for the deliveries of one moment; usually they take some milliseconds. */
const deliveriesMs = 15_000;

/** Timers whose time can be moved forward, so that the breaker of a registry sees the hours of the demo pass. */
export class MovableTimers implements Timers {
  #movedMs = 0;

  after(ms: number, run: () => void): () => void {
    return systemTimers.after(ms, run);
  }

  now(): number {
    return systemTimers.now() + this.#movedMs;
  }

  move(ms: number): void {
    this.#movedMs += Math.max(0, ms);
  }
}

type Parts = {
  readonly sandbox: Sandbox;
  readonly service: Server;
  readonly timers: MovableTimers;
  /** Creates the key and the subscription of the demo; called at the first moment. */
  readonly subscribe: () => Promise<void>;
  /** Creates the stored check of the demo; called while Germany's registry is unavailable. */
  readonly createCheck: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Called when a day begins. */
  readonly onDay: (sentence: string) => void;
};

type Happening = { readonly atMs: number; readonly happen: () => Promise<unknown> };

/**
 * Lets the last weeks pass on the sandbox's clock, one moment after the other, and returns to the clock of the machine.
 *
 * The jobs run twice a day: rates at 07:00 UTC, exchange rates after 16:00 in Frankfurt. Between two moments the clock
 * stops at each due attempt of a stored check, so that a day without an answer has as many attempts as in reality.
 */
export async function passWeeks(parts: Parts): Promise<void> {
  const { sandbox, service, signal } = parts;
  const { scenario } = sandbox;
  const untilMs = sandbox.clock.now();
  scriptChanges(sandbox);
  for (const { atMs, happen } of listHappenings(parts)) {
    if (signal.aborted) return;
    if (atMs >= untilMs) break;
    parts.onDay(`${dateIn('UTC', atMs)} …`);
    await moveTo(parts, atMs);
    await happen();
    await settleDeliveries(parts);
  }
  const beforeMs = sandbox.clock.now();
  scenario.apply({ today: null });
  parts.timers.move(sandbox.clock.now() - beforeMs);
  await service.tick();
}

/** Scripts two changes that no Member State has made; sandbox and demo both print that they are invented. */
function scriptChanges({ scenario }: Sandbox): void {
  const { today } = scenario;
  scenario.apply({
    rates: [
      { country: 'HU', field: 'standard', values: ['25'], from: addDays(today, -12) },
      { country: 'IE', field: 'reduced', values: ['9', '12.5'], from: addDays(today, -5) },
    ],
  });
}

/** Everything that happens, in its order. */
function listHappenings({ sandbox, service, subscribe, createCheck }: Parts): Happening[] {
  const { scenario } = sandbox;
  const { today } = scenario;
  const utc = (daysAgo: number, hours: number, minutes = 0): number =>
    momentIn('UTC', addDays(today, -daysAgo), hours * 60 + minutes);
  const setGermany = (state: 'up' | 'down') => async (): Promise<void> =>
    scenario.apply({ vies: { memberStates: { DE: { state } } } });
  const tick = async (): Promise<void> => service.tick();
  const days = Array.from({ length: daysShown + 1 }, (_, index) => daysShown - index);
  const happenings = [
    { atMs: utc(daysShown, 6), happen: subscribe },
    { atMs: utc(outageDaysAgo, 9), happen: setGermany('down') },
    { atMs: utc(outageDaysAgo, 9, 20), happen: createCheck },
    { atMs: utc(outageDaysAgo - 1, 9), happen: setGermany('up') },
    ...days.flatMap((daysAgo) => [
      { atMs: utc(daysAgo, 7), happen: tick },
      {
        atMs: momentIn('Europe/Berlin', addDays(today, -daysAgo), 16 * 60 + 5),
        happen: tick,
      },
    ]),
  ];
  return happenings.toSorted((a, b) => a.atMs - b.atMs);
}

/** Moves the clock to a moment, and stops before at every attempt of a stored check that is due until then. */
async function moveTo(parts: Parts, atMs: number): Promise<void> {
  const { sandbox, service, timers } = parts;
  const { clock, scenario } = sandbox;
  const set = (ms: number): void => {
    timers.move(ms - clock.now());
    scenario.apply({ now: ms });
  };
  for (;;) {
    const dueMs = await findNextAttempt(service);
    // An attempt that is refused stays due: it is repeated a minute later.
    const nextMs = Math.max(dueMs ?? atMs, clock.now() + minuteMs);
    if (nextMs >= atMs) break;
    set(nextMs);
    await service.attemptDueChecks();
    await settleDeliveries(parts);
  }
  set(atMs);
}

/** The moment at which the next attempt of a stored check is due. */
async function findNextAttempt({ core }: Server): Promise<number | undefined> {
  const { due } = await core.db
    .selectFrom('vat_checks')
    .select(({ fn }) => fn.min('due_at').as('due'))
    .executeTakeFirstOrThrow();
  return due === null ? undefined : Date.parse(due);
}

/** Waits until nothing is left to deliver: a delivery that is under way while the clock moves would be repeated. */
async function settleDeliveries({ service, signal }: Parts): Promise<void> {
  const deadlineMs = performance.now() + deliveriesMs;
  while (!signal.aborted && performance.now() < deadlineMs) {
    const pending = await service.core.db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('status', '=', 'pending')
      .limit(1)
      .executeTakeFirst();
    if (pending === undefined) return;
    await sleep(10);
  }
}
