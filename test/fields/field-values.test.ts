import { describe, expect, it } from 'vitest';
import type { DescribedRoute } from '../../src/platform/http/routes/described-routes.ts';
import { banksEnabled } from '../openapi/support/questions.ts';
import { shareService } from '../support/start-service.ts';
import { bodies } from './support/bodies.ts';
import { checkParameters } from './support/check-parameters.ts';
import type { FieldRow } from './support/field-row.ts';
import { parameters } from './support/parameters.ts';
import { fieldsOf, printSample, sampleOf, withValue } from './support/sample-request.ts';

const service = shareService({ lived: ['2026-11-20T16:00:00Z'], config: banksEnabled });
const rows = [...parameters, ...checkParameters, ...bodies];

/** The name of an operation, which its form as CSV shares unless a row names that. */
function isOf({ of }: FieldRow, operation: string): boolean {
  if (of === undefined || of.includes(operation)) return true;
  const isOwn = rows.some((row) => row.of?.includes(operation) === true);
  return !isOwn && of.includes(operation.replace(/Csv$/, ''));
}

async function send(route: DescribedRoute, { field, beside = {} }: FieldRow, value: unknown) {
  const plain = sampleOf(route);
  const sample = withValue({ ...plain, query: { ...plain.query, ...beside } }, field, value);
  const { headers, ...request } = printSample(sample);
  const authorization = `Bearer ${service().key}`;
  const { status, text } = await service().sendRequest({
    ...request,
    headers: { ...headers, authorization },
  });
  // Any other refusal is about what the values mean together.
  return status === 400 || status >= 500
    ? (JSON.parse(text) as { readonly error: string }).error
    : undefined;
}

describe('the values of each field (contracts C6, C35)', () => {
  it('are in the table, for each field of each operation, and for no other', () => {
    const fields = service().routes.flatMap((route) =>
      fieldsOf(route).map(({ name }) => ({ name, operation: route.definition.operation })),
    );

    const missing = fields.filter(
      ({ name, operation }) => !rows.some((row) => row.field === name && isOf(row, operation)),
    );
    const unused = rows.filter(
      (row) => !fields.some(({ name, operation }) => row.field === name && isOf(row, operation)),
    );
    expect({ missing, unused }).toEqual({ missing: [], unused: [] });
  });

  it.each(rows)('are accepted or refused as $field says', async (row) => {
    const [, name = 'body'] = row.field.split(' ');
    const refused = Object.entries(row.refuses).flatMap(([words, values]) =>
      values.map((value) => [value, `invalid '${row.named ?? name}' — expected ${words}`] as const),
    );
    const expected = [...row.accepts.map((value) => [value, undefined] as const), ...refused];
    const routes = service().routes.filter(
      (route) =>
        isOf(row, route.definition.operation) &&
        fieldsOf(route).some((one) => one.name === row.field),
    );

    for (const route of routes) {
      const answered: (readonly [unknown, string | undefined])[] = [];
      for (const [value] of expected) answered.push([value, await send(route, row, value)]);
      expect([route.definition.operation, answered]).toEqual([
        route.definition.operation,
        expected,
      ]);
    }
  });
});
