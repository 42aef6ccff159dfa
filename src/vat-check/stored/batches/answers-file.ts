import { type CsvTable, printCsv } from '../../../platform/csv/csv.ts';
import { toHeading } from '../../reading/columns.ts';
import { encode, type Encoding } from '../../reading/encodings.ts';
import { explain } from '../../reading/explain.ts';
import type { PrintedCheck } from '../print-check.ts';
import { checkColumns } from '../requests/check-table.ts';

/** A file that was sent, as its answers give it back. */
export type OwnFile = {
  /** All columns of the file; '' for a column without a heading. */
  readonly headings: readonly string[];
  readonly rows: readonly OwnRow[];
  readonly separator: string;
  readonly encoding: Encoding;
};

export type OwnRow = {
  /** The number as it was sent; undefined for a row that was not sent. */
  readonly sent: { readonly countryCode: string; readonly vatNumber: string } | undefined;
  /** Why it was not sent. */
  readonly fault?: string | undefined;
  /** One cell for each heading. */
  readonly cells: readonly string[];
};

/** What the answers add behind the columns of a file. Scripts read those behind `problem`. */
const answerColumns: Readonly<Record<string, (check: PrintedCheck) => string | null>> = {
  valid: ({ valid }) => valid?.toString() ?? null,
  'checked on': ({ requestDate }) => requestDate?.slice(0, 10) ?? null,
  name: ({ name }) => name,
  problem: describeProblem,
  queriedNumber: ({ queriedNumber }) => queriedNumber,
  address: ({ address }) => address,
  consultationNumber: ({ consultationNumber }) => consultationNumber,
  status: ({ status }) => status,
  id: ({ id }) => id,
};

const ofAnswers: readonly string[] = [...checkColumns, ...Object.keys(answerColumns)].map(
  toHeading,
);

/** Whether `/vatchecks.csv` or the answers to a file have a column with this heading. */
export function isOfAnswers(heading: string): boolean {
  return ofAnswers.includes(toHeading(heading));
}

/**
 * The answers to a file in its order: its own columns first, then the answer to each row, or the reason why it has none.
 *
 * Every row comes back. Rows with the same number have the checks of this number in turn, the last of them also for further rows.
 */
export function joinAnswers(checks: readonly PrintedCheck[], file: OwnFile): CsvTable {
  const left = new Map<string, PrintedCheck[]>();
  for (const check of checks) {
    const key = keyOf(check);
    left.set(key, [...(left.get(key) ?? []), check]);
  }
  const answerTo = (sent: NonNullable<OwnRow['sent']>): PrintedCheck | undefined => {
    const same = left.get(keyOf(sent)) ?? [];
    return same.length > 1 ? same.shift() : same[0];
  };
  const rows = file.rows.map(({ sent, fault = null, cells }) => {
    const check = sent && answerTo(sent);
    const answer = Object.entries(answerColumns).map(([name, read]) =>
      check === undefined ? (name === 'problem' ? fault : null) : read(check),
    );
    return [...cells.map((cell) => cell || null), ...answer];
  });
  const own = file.headings.map((heading, at) => heading || `Column ${at + 1}`);
  const added = Object.keys(answerColumns).map((name) =>
    own.includes(name) ? `${name} (2)` : name,
  );
  return { columns: [...own, ...added], rows };
}

/**
 * Prints the answers as the file was written: with its separator, and in its encoding, or else in UTF-8 if that does not have all
 * characters of the answers. UTF-8 has a byte order mark, by which spreadsheets know it.
 */
export function printAnswersFile(
  table: CsvTable,
  { separator, encoding }: Pick<OwnFile, 'separator' | 'encoding'>,
): { readonly bytes: Uint8Array<ArrayBuffer>; readonly encoding: Encoding } {
  const text = printCsv(table, separator);
  const bytes = encode(text, encoding);
  if (bytes !== undefined) return { bytes, encoding };
  const unicode = encode(text, 'utf-8');
  if (unicode === undefined) throw new Error('UTF-8 has every character');
  return { bytes: unicode, encoding: 'utf-8' };
}

function keyOf({
  countryCode,
  vatNumber,
}: {
  readonly countryCode: string;
  readonly vatNumber: string;
}): string {
  return `${countryCode} ${vatNumber}`;
}

/** What is to be cleared up about a check, for the reader of a list; null for a registered number whose data match. */
function describeProblem(check: PrintedCheck): string | null {
  const { status, valid, error, hint, traderMatch } = check;
  const reason = error === null ? '' : ` (${error})`;
  switch (status) {
    case 'answered': {
      if (valid === false) return hint === null ? 'not registered' : `not registered; ${hint}`;
      const others = Object.entries(traderMatch ?? {}).filter(([, match]) => match === 'invalid');
      if (others.length === 0) return null;
      return `registered with another ${others.map(([field]) => field).join(', ')}`;
    }
    case 'pending':
      return `no answer yet${reason}`;
    case 'expired':
      return `no answer in time${reason}`;
    case 'rejected':
      if (error === 'INVALID_REQUESTER') return 'the registry refuses the requester';
      return check.queriedNumber === null
        ? explain(check.vatNumber, check.countryCode, true)
        : `the registry refuses it${hint === null ? '' : `; ${hint}`}`;
  }
}
