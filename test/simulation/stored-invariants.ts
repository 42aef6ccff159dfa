import { isPublicationDay } from '../../src/sandbox/ecb/calendar.ts';
import { addDays, dayMs, formatInstant, isoDate } from '../../src/platform/time/time.ts';
import { type Fields, fieldsOf } from '../journeys/support/fold.ts';
import { doubts, fxDoubts, movesBetween } from './plausibility.ts';
import type { StoredChange, StoredRows } from './stored-rows.ts';
import { mustHold } from './violation.ts';

/** Events may be deleted after this time (EVENTS_RETENTION_DAYS). */
const eventsKeptMs = 90 * dayMs;

/**
 * Invariants of the database at each moment, compared with the moment before.
 *
 * Bodies must keep their text. Each new snapshot of the job is compared with the one before it, and its rows must then
 * stay as they are.
 */
export class StoredInvariants {
  /** The dates whose exchange rates an operator has corrected since the last check. */
  correctedDates: readonly string[] = [];
  lastRun = 0;
  #rates = new Map<string, string>();
  #rows = new Map<string, string>();
  readonly #fx = new Map<string, string>();
  #corrections = 0;
  /** The latest time that the service's clock has shown. */
  #latestMs = 0;
  #newestRates = '';
  #newestFx = '';
  #chainEnd: { readonly version: string; readonly fields: Fields } | undefined;
  /** The first snapshot with the change log applied. */
  readonly #folded = new Map<string, string>();

  /** @param nowMs The time of the service's clock, which may be wrong. */
  check(stored: StoredRows, nowMs: number): void {
    this.#latestMs = Math.max(this.#latestMs, nowMs);
    const published = this.#checkRates(stored);
    for (const version of published) this.#followChain(stored, version);
    this.#checkRows(stored, published.length > 0);
    this.#checkFx(stored);
    this.#checkRuns(stored, published);
  }

  /** The bodies of rates; returns the versions that the job has published since. */
  #checkRates({ rates }: StoredRows): readonly string[] {
    const now = new Map(rates.map(({ version, origin, body }) => [version, `${origin} ${body}`]));
    for (const [version, before] of this.#rates) {
      mustHold(now.get(version) === before, () => {
        return `rates of ${version} changed: ${before} is now ${now.get(version)}`;
      });
    }
    const added = rates.filter(({ version }) => !this.#rates.has(version));
    const published = added.filter(({ origin }) => origin === 'job').map((r) => r.version);
    for (const version of published) {
      mustHold(
        version > this.#newestRates,
        () => `rates of ${version} published after ${this.#newestRates}`,
      );
      this.#newestRates = version;
    }
    this.#rates = now;
    return published;
  }

  /** Checks a new snapshot of the job: its rows are its differences from the previous one, and it is plausible. */
  #followChain(stored: StoredRows, version: string): void {
    const { rates, changes, events, approved, held } = stored;
    const fields = fieldsOf(rates.find((one) => one.version === version)?.body ?? '');
    const rows = changes.filter((row) => row.snapshot_date === version);
    const previous = this.#chainEnd;
    this.#chainEnd = { version, fields };
    if (previous === undefined) {
      mustHold(rows.length === 0, () => `the first snapshot, ${version}, has ${rows.length} rows`);
      mustHold(!events.includes(version), () => `the first snapshot, ${version}, has an event`);
      for (const [name, value] of fields) this.#folded.set(name, value);
      return;
    }
    let day = addDays(isoDate(previous.version), 1);
    for (; day < version; day = addDays(day, 1)) {
      mustHold(held.has(`rates ${day}`), () => `${day} was left out, and it is not held`);
    }
    const moves = movesBetween(previous.fields, fields).map(toSentence).sort();
    const told = rows.map(toSentence).sort();
    mustHold(told.join() === moves.join(), () => {
      return `${version} after ${previous.version} moves [${moves.join()}], its rows are [${told.join()}]`;
    });
    const found = doubts(previous.fields, fields);
    mustHold(found.length === 0 || approved.has(`rates ${version}`), () => {
      return `${version} was published without a decision: ${found.join('; ')}`;
    });
    this.#fold(version, rows, fields);
  }

  #fold(version: string, rows: readonly StoredChange[], fields: Fields): void {
    for (const { country, field, new: value } of rows) {
      if (value === null) this.#folded.delete(`${country} ${field}`);
      else this.#folded.set(`${country} ${field}`, value);
    }
    const folded = [...this.#folded].map(([name, value]) => `${name} ${value}`).sort();
    const latest = [...fields].map(([name, value]) => `${name} ${value}`).sort();
    mustHold(folded.join() === latest.join(), () => `the log folded to ${version} is another one`);
  }

  /** Checks that rows never change, and that those of a date have one moment, and one event until it is old. */
  #checkRows({ changes, events }: StoredRows, isMore: boolean): void {
    const known = this.#rows;
    this.#rows = new Map(changes.map((row) => [row.id, JSON.stringify(row)]));
    mustHold(isMore || known.size === changes.length, () => {
      return `${known.size} rows became ${changes.length} without a publication`;
    });
    for (const [id, row] of known) {
      mustHold(this.#rows.get(id) === row, () => `${row} is now ${this.#rows.get(id)}`);
    }

    const moments = new Map<string, string>();
    for (const { snapshot_date: date, detected_at: at } of changes) {
      const known = moments.get(date) ?? at;
      mustHold(known === at, () => `rows of ${date} were detected at ${known} and at ${at}`);
      moments.set(date, at);
    }
    const keptSince = formatInstant(this.#latestMs - eventsKeptMs);
    const due = [...moments.keys()].filter((date) => {
      return events.includes(date) || (moments.get(date) ?? '') >= keptSince;
    });
    mustHold(events.join() === due.sort().join(), () => {
      return `events for [${events.join()}], rows for [${due.join()}]`;
    });
  }

  #checkFx({ fx, corrected, approved }: StoredRows): void {
    const count = [...corrected.values()].reduce((sum, times) => sum + times, 0);
    const before = this.#newestFx;
    const changed: string[] = [];
    mustHold(fx.length >= this.#fx.size, () => 'a stored publication has gone');
    for (const [at, { date, body }] of fx.entries()) {
      const known = this.#fx.get(date);
      if (known === body) continue;
      this.#fx.set(date, body);
      if (known !== undefined) {
        changed.push(date);
        mustHold(
          corrected.has(date),
          () => `exchange rates of ${date} changed: ${known} → ${body}`,
        );
        continue;
      }
      mustHold(isPublicationDay(isoDate(date)), () => `exchange rates of ${date}, a closing day`);
      // Days that fill a gap or that a first start loads are not compared with the newest one here.
      const previous = fx[at - 1];
      if (previous === undefined || before === '' || date < before) continue;
      const found = fxDoubts(previous.body, body);
      mustHold(found.length === 0 || approved.has(`fx ${date}`), () => {
        return `exchange rates of ${date} were published without a decision: ${found.join('; ')}`;
      });
    }
    mustHold(changed.length <= count - this.#corrections, () => {
      return `${changed.join()} changed, with ${count - this.#corrections} corrections audited`;
    });
    this.#corrections = count;
    this.correctedDates = changed;
    const newest = fx.at(-1)?.date ?? '';
    mustHold(newest >= before, () => `the newest publication went back: ${before} → ${newest}`);
    this.#newestFx = newest;
  }

  /** Checks that each publication has a run with the right number of changes. */
  #checkRuns({ runs, changes }: StoredRows, published: readonly string[]): void {
    const told = runs.filter(
      ({ row, job, outcome }) => row > this.lastRun && job === 'rates' && outcome === 'published',
    );
    mustHold(told.map((run) => run.version).join() === published.join(), () => {
      return `published were [${published.join()}], by runs [${told.map((r) => r.version).join()}]`;
    });
    for (const run of told) {
      const rows = changes.filter((row) => row.snapshot_date === run.version).length;
      mustHold(run.changes === rows, () => `the run of ${run.version} reports ${run.changes} rows`);
    }
    this.lastRun = Math.max(this.lastRun, ...runs.map(({ row }) => row));
  }
}

function toSentence(move: Pick<StoredChange, 'country' | 'field' | 'old' | 'new'>): string {
  return `${move.country} ${move.field} ${move.old ?? 'none'} → ${move.new ?? 'none'}`;
}
