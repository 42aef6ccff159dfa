import type { Change } from '../session/api.ts';
import { type Extras, readExtras } from './extras.ts';
import { isCsv, readNumbers, type ReadNumbers, type UnreadPart } from './read-numbers.ts';
import { type Columns, readTable, type Table } from './read-table.ts';

/** The largest number of checks in a batch (rule K12). */
const numbersMax = 1_000;

/** How long the service may wait for the registry before it answers with a pending check. */
const waitSeconds = 5;

/** The content of the form. */
export type Form = {
  readonly text: string;
  /** The country of numbers without letters; '' for none. */
  readonly country: string;
  readonly extras: Extras;
  /** The text as a table with columns that the visitor has chosen; undefined if it is none. */
  readonly table?: { readonly table: Table; readonly columns: Columns } | undefined;
};

/** The request for a form, or the reason why there is none. */
export type Order =
  | {
      readonly kind: 'request';
      readonly request: Pick<Change, 'path' | 'body'>;
      /** Parts of the text that the request does not have. */
      readonly unread: readonly UnreadPart[];
    }
  | { readonly kind: 'refused'; readonly fault: string; readonly unread: readonly UnreadPart[] };

/** The numbers of the form, as far as they can be read. */
export function readForm({ text, country, table }: Omit<Form, 'extras'>): ReadNumbers {
  return table === undefined
    ? readNumbers(text, country)
    : readTable(table.table, table.columns, country);
}

/** Makes the request for one number, for a list or a table, or for CSV. */
export function prepareOrder(form: Form): Order {
  const { text, extras } = form;
  if (isCsv(text)) {
    if (Object.values(extras).some((value) => value.trim() !== ''))
      return refuse(
        'A CSV file has requester, reference and customer in its columns. Empty these fields.',
      );
    const body = { type: 'text/csv', text } as const;
    return { kind: 'request', request: { path: '/vatchecks/batch', body }, unread: [] };
  }
  const { numbers, unread } = readForm(form);
  if (numbers.length > numbersMax) {
    return refuse(
      `There are ${numbers.length} numbers. At most ${numbersMax} can be checked at a time.`,
    );
  }
  const shared = readExtras(extras);
  if (shared.kind === 'refused') return refuse(shared.fault);
  if (numbers.length > 1 && shared.fields.trader !== undefined) {
    return refuse('The data of a customer belongs to one number. For a list use a CSV file.');
  }
  const [first, ...others] = numbers.map(({ name, reference, ...number }) => ({
    ...number,
    ...shared.fields,
    ...(name === undefined ? undefined : { trader: { ...shared.fields.trader, name } }),
    ...(reference === undefined ? undefined : { reference }),
  }));
  if (first === undefined)
    return refuse(
      unread.length === 0 ? 'Enter a VAT number.' : 'No VAT number can be read.',
      unread,
    );
  const request =
    others.length === 0
      ? toRequest('/vatchecks', { ...first, waitSeconds })
      : toRequest('/vatchecks/batch', { checks: [first, ...others] });
  return { kind: 'request', request, unread };
}

function refuse(fault: string, unread: readonly UnreadPart[] = []): Order {
  return { kind: 'refused', fault, unread };
}

function toRequest(path: string, body: object): Pick<Change, 'path' | 'body'> {
  return { path, body: { type: 'application/json', text: JSON.stringify(body) } };
}
