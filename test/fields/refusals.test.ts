import { describe, expect, it } from 'vitest';
import type { Field } from '../../src/platform/fields/field.ts';
import type { DescribedRoute } from '../../src/platform/http/routes/described-routes.ts';
import { banksEnabled } from '../openapi/support/questions.ts';
import { shareService } from '../support/start-service.ts';
import {
  fieldsOf,
  printSample,
  type Sample,
  sampleOf,
  withValue,
} from './support/sample-request.ts';

const service = shareService({ lived: ['2026-11-20T16:00:00Z'], config: banksEnabled });

type Refused = readonly [what: string, sample: Sample, error: string];

/** What the definition of a route forbids, with the error that follows from it. */
function refusedBy(route: DescribedRoute): readonly Refused[] {
  const sample = sampleOf(route);
  return [
    ...(isStrict(route) ? [unknownParameter(sample)] : []),
    ...fieldsOf(route).flatMap(({ name, field }) => refusedAt(sample, name, field)),
  ];
}

/** Routes of the interface ignore what they do not know (contract C35), and public routes their whole query. */
function isStrict({ scope, definition }: DescribedRoute): boolean {
  return scope !== null && definition.ignoresUnknown !== true;
}

function unknownParameter(sample: Sample): Refused {
  return ['an unknown parameter', withValue(sample, 'query x', '1'), "unknown parameter 'x'"];
}

function refusedAt(sample: Sample, place: string, field: Field): readonly Refused[] {
  const [part = '', name = 'body'] = place.split(' ');
  const as = (what: string, value: unknown): Refused => [
    `${place} ${what}`,
    withValue(sample, place, value),
    `invalid '${name}' — expected ${field.expected}`,
  ];
  if (field.expected === '') return [];
  if (part === 'query') return [as('empty', ''), as('twice', ['1', '1'])];
  if (part === 'header') return [as('empty', ''), as('twice', ['a', 'b'])];
  if (part === 'path') return [as('malformed', '\u0001')];
  const inner = (field as { readonly fields?: object }).fields;
  if (inner === undefined) return [as('of another type', [[1]])];
  const unknown = name === 'body' ? 'x' : `${name}.x`;
  const withUnknown = withValue(sample, `body ${unknown}`, 1);
  return [
    as('as a list', []),
    [`${place} with an unknown field`, withUnknown, `unknown field '${unknown}'`],
  ];
}

describe('what a definition forbids (contracts C6, C35)', () => {
  it('is refused by each operation with the words of its fields', async () => {
    const authorization = `Bearer ${service().key}`;
    const refused = service().routes.flatMap((route) =>
      refusedBy(route).map((one) => [route.definition.operation, ...one] as const),
    );

    const answered: unknown[] = [];
    for (const [operation, what, sample] of refused) {
      const { headers, ...request } = printSample(sample);
      const sent = { ...request, headers: { ...headers, authorization } };
      const { status, text } = await service().sendRequest(sent);
      answered.push([operation, what, status, JSON.parse(text)]);
    }

    expect(refused.length).toBeGreaterThan(300);
    expect(answered).toEqual(
      refused.map(([operation, what, , error]) => [operation, what, 400, { error }]),
    );
  });
});
