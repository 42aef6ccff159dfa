import type { Change } from '../session/api.ts';
import { type Body, type Extras, fieldsOfNumber, readExtras } from './extras.ts';
import type { BatchedCheck, CheckInput, SkippedRow } from '../wire.ts';
import type { UnreadPart } from '../../../src/vat-check/reading/read-numbers.ts';
import { headingsOf } from '../../../src/vat-check/reading/read-table.ts';
import { readWritten, type Written } from './written.ts';

/** The largest number of checks in a batch (rule K12). */
const numbersMax = 1_000;

/** How long the service may wait for the registry before it answers with a pending check. */
const waitSeconds = 5;

/** The content of the form. */
export type Form = Written & { readonly extras: Extras };

/** The request for a form, or the reason why there is none. */
export type Order =
  | {
      readonly kind: 'request';
      readonly request: Pick<Change, 'path' | 'body'>;
      /** Parts of the text that the request does not have. */
      readonly unread: readonly UnreadPart[];
    }
  | { readonly kind: 'refused'; readonly fault: string; readonly unread: readonly UnreadPart[] };

/** Makes the request for one number, for a list or a table, or for CSV. */
export function prepareOrder(form: Form): Order {
  const { text, extras } = form;
  if (form.table?.isForService === true) {
    if (Object.values(extras).some((value) => value.trim() !== ''))
      return refuse(
        'This file has requester, reference and customer in its columns. Empty these fields.',
      );
    const body = { type: 'text/csv', text } as const;
    return { kind: 'request', request: { path: '/vatchecks/batch', body }, unread: [] };
  }
  const { numbers, unread } = readWritten(form);
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
  const [first, ...others] = numbers.map(
    ({ trader, reference, ...number }): Body<BatchedCheck> => ({
      ...number,
      ...fieldsOfNumber(shared.fields, { trader, reference }),
    }),
  );
  if (first === undefined)
    return refuse(
      form.table !== undefined && form.table.columns.vatNumber === undefined
        ? 'Choose the column that has the VAT numbers.'
        : unread.length === 0
          ? 'Enter a VAT number.'
          : 'No VAT number can be read.',
      unread,
    );
  const request =
    others.length === 0
      ? toCheckRequest(first)
      : toRequest('/vatchecks/batch', { checks: [first, ...others] });
  return { kind: 'request', request, unread };
}

/**
 * The lines that stay in the field after a check, with the reasons: those without a number and those that the service has
 * skipped. Lines of a table keep its headings. Lines without a digit have no number, and are not kept.
 */
export function leftOf(
  { text, table }: Written,
  unread: readonly UnreadPart[],
  skipped: readonly SkippedRow[],
): { readonly text: string; readonly lines: readonly UnreadPart[] } {
  const lines = text.split(/\r\n|\r|\n/);
  const lineAt = (line: number): string => lines[line - 1] ?? '';
  const isHeaded = table !== undefined && headingsOf(table) !== undefined;
  const heading = isHeaded ? table.rows[0]?.line : undefined;
  const left = [
    ...unread.map((part) => (table === undefined ? part : { ...part, text: lineAt(part.line) })),
    // The columns that are not read are named before the check.
    ...(table?.isForService === true ? skipped : [])
      .filter(({ line }) => line !== heading)
      .map(({ line, reason }) => ({ line, text: lineAt(line), fault: reason })),
  ].filter(({ text: written }) => /\d/.test(written));
  const kept = left.map((part) => part.text);
  if (heading !== undefined && kept.length > 0) kept.unshift(lineAt(heading));
  return { text: kept.join('\n'), lines: left };
}

function refuse(fault: string, unread: readonly UnreadPart[] = []): Order {
  return { kind: 'refused', fault, unread };
}

/** The request for one check, with its fields. */
export function toCheckRequest(fields: Body<CheckInput>): Pick<Change, 'path' | 'body'> {
  return toRequest('/vatchecks', { ...fields, waitSeconds });
}

function toRequest(path: string, body: object): Pick<Change, 'path' | 'body'> {
  return { path, body: { type: 'application/json', text: JSON.stringify(body) } };
}
