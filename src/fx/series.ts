import type { Tx } from '../platform/database/database.ts';
import type { DataSetKind } from '../platform/publication/data-set-kinds.ts';
import type { SnapshotTable } from '../platform/publication/snapshot-table.ts';
import type { IsoDate } from '../platform/time/time.ts';
import type { Timetable } from './timetable.ts';
import type { FxSnapshot } from './snapshot.ts';

/** A data set that is a series of publications of exchange rates. */
export type SeriesKind = Exclude<DataSetKind, 'rates'>;

/**
 * A series of publications of exchange rates: that of the ECB, or of a national bank.
 *
 * All that judges, stores, corrects, follows and finds publications works on one, and differs by these facts only.
 */
export type Series = {
  readonly kind: SeriesKind;
  /** Who publishes, as messages to operators say it. */
  readonly source: string;
  readonly snapshots: SnapshotTable;
  readonly timetable: Timetable;
  /** The row of a publication, without its body and the moment of storage. */
  readonly toRow: (snapshot: FxSnapshot) => Readonly<Record<string, string | null>>;
  /** Prints the body that callers get. */
  readonly print: (snapshot: FxSnapshot) => string;
  /** Reads a text that `print` made; throws for any other text. */
  readonly parse: (body: string) => FxSnapshot;
  /** The numbers of tables; undefined for a publisher that does not number its publications. */
  readonly numbers: TableNumbers | undefined;
  /** How many currencies may be new in a publication before an operator has to look (contract C19). */
  readonly newCurrenciesMax: number;
  /**
   * Whether answers of the bank prove that there is no publication, and not a calendar alone. Then a rejected publication
   * counts as one that may exist, because its true values may still come; and a held one may be approved although later ones
   * are published.
   */
  readonly isProvedByAnswers: boolean;
  /** What proves that a day has no publication: a row of the table of `absence.ts`. */
  readonly proofs: AbsenceProofs;
  /** Days whose publication no law allows to be used without doubt, each with its source. */
  readonly disputedDays: Readonly<Record<string, string>>;
  /** Writes what else is made of publications, in the transaction that has changed those of some dates. */
  readonly afterChange: (
    tx: Tx,
    dates: readonly IsoDate[],
    stored?: readonly FxSnapshot[],
  ) => Promise<void>;
};

/**
 * What proves that a day without a publication has none. `calendar`: nothing is needed. `one answer` and `two answers`: of the
 * bank, made after the end of the day, and two at least an hour apart. `operator`: only the word of an operator.
 */
type Proof = 'calendar' | 'one answer' | 'two answers' | 'operator';

/** The proof for each kind of day of a series. */
export type AbsenceProofs = {
  /** A day that the calendar of the series calls closed. */
  readonly closed: Proof;
  readonly open: Proof;
  /** An open day after the last publication of a year that has ended, or on its last open day. */
  readonly endOfYear: Proof;
  /** Before this day the stored history decides: a day without a publication, with a later one, has none. */
  readonly historyDecidesBefore?: IsoDate;
};

/** How a publisher numbers its tables; the column `table_number` has them. */
export type TableNumbers = {
  /** Negative if the first one comes before the second one. */
  readonly compare: (a: string, b: string) => number;
  /** Whether no table can lie between two: the second one has the next number, or the first one of the next year. */
  readonly follows: (previous: string, next: string) => boolean;
};

/** Orders publications of a series: by table number, or by date if there are no numbers. 0 for the same publication. */
export function inOrderOf({ numbers }: Series): (a: FxSnapshot, b: FxSnapshot) => number {
  if (numbers !== undefined) return (a, b) => numbers.compare(a.table ?? '', b.table ?? '');
  return (a, b) => (a.date < b.date ? -1 : Number(a.date > b.date));
}
