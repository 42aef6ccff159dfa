import { errorsOfUnknownRoutes, statusOf, textOf } from '../openapi/errors.ts';
import type { Json } from '../openapi/schemas.ts';
import { resolve } from './fields.ts';
import { type Definition, definitions, text } from './html.ts';

/** Prints the errors of a call that not every call has. */
export function printOwnErrors(document: Json, responses: Json): string {
  const own = Object.entries(responses).filter(
    ([status, value]) =>
      /^[45]/.test(status) && !('$ref' in (value as Json)) && hasErrors(document, value),
  );
  if (own.length === 0) return '';
  const rows = new Map(listErrors(document, own));
  for (const [name] of listCommonErrors(document)) {
    if (name !== notFoundRow) rows.delete(name);
  }
  return `<h4>Errors</h4>${printErrors(rows)}`;
}

export function printCommonErrors(document: Json): string {
  return printErrors(listCommonErrors(document));
}

/** Whether an answer has a body of this API; the answers of receivers have none. */
export function hasErrors(document: Json, answer: unknown): boolean {
  return resolve(document, answer)['content'] !== undefined;
}

/** The errors that several calls have, and those of requests that are no call. */
function listCommonErrors(document: Json): ReadonlyMap<string, Definition> {
  const { responses } = document['components'] as { readonly responses: Json };
  const answers = Object.values(responses).map(
    (answer) => [String((answer as Json)['x-status']), answer] as const,
  );
  const unknown = errorsOfUnknownRoutes.map((one) =>
    errorRow(String(statusOf(one.error)), textOf(one), one.when),
  );
  return new Map([...listErrors(document, answers), ...unknown]);
}

/** A common error that some calls also describe themselves: there it means an unknown id. */
const notFoundRow = '404 not found';

/** Makes one definition for each error of some answers; the keys are status and text. */
function listErrors(
  document: Json,
  answers: readonly (readonly [status: string, answer: unknown])[],
): ReadonlyMap<string, Definition> {
  const rows = new Map<string, Definition>();
  for (const [status, answer] of answers) {
    const content = resolve(document, answer)['content'] as Json;
    const { examples } = content['application/json'] as { readonly examples: Json };
    for (const { summary, value } of Object.values(examples) as Json[]) {
      const { error } = value as { readonly error: string };
      rows.set(...errorRow(status, error, String(summary)));
    }
  }
  return rows;
}

function errorRow(status: string, error: string, when: string): [key: string, row: Definition] {
  return [
    `${status} ${error}`,
    [`<span class="status bad">${status}</span> <code>${text(error)}</code>`, text(when)],
  ];
}

function printErrors(rows: ReadonlyMap<string, Definition>): string {
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return definitions(sorted);
}
