import type { BankName } from '../../platform/publication/data-set-kinds.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import type { Series } from '../series.ts';
import type { FxSnapshot } from '../snapshot.ts';

/** Days that one request asks a bank for; both ends are included. */
export type Span = { readonly from: IsoDate; readonly to: IsoDate };

/** A national bank: all that differs from the others is in its folder. */
export type Bank = {
  readonly name: BankName;
  /** Its name in sentences, with the article: `the NBP`. */
  readonly title: string;
  /** The currency of its rates. */
  readonly quote: string;
  /** The variable that sets its host, and the key of that setting. */
  readonly variable: `${string}_URL`;
  readonly setting: `${BankName}Url`;
  readonly timetable: Series['timetable'];
  readonly numbers: Series['numbers'];
  readonly proofs: Series['proofs'];
  readonly disputedDays: Series['disputedDays'];
  readonly client: BankClient;
};

/** How a bank is asked. */
export type BankClient = {
  /** How many days before the last one that is known completely each run reads again, for corrections. */
  readonly rereadDays: number;
  /** The spans of the requests for some days, oldest first; the last one ends on the last day. */
  readonly listSpans: (days: Span) => readonly Span[];
  /** The path of a request with its query. */
  readonly pathOf: (span: Span) => string;
  /** A cap of several times the size of a real answer. */
  readonly bodyBytesMax: number;
  /** The status of an answer without publications, if the bank has one of its own. */
  readonly emptyStatus: number | undefined;
  /** Reads a document of `parseTypedJson`, or returns what is wrong with it. */
  readonly read: (document: unknown, span: Span) => readonly FxSnapshot[] | string;
};
