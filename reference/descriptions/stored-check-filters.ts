import { Type } from 'typebox';
import { malformed } from './common.ts';
import type { ErrorDescription, ParameterDescription } from './route-description.ts';
import { momentForm } from '../../src/platform/http/routes/instant-parameter.ts';
import { checkStatuses } from '../../src/vat-check/stored/stored-check.ts';
import { referenceMax } from '../../src/vat-check/stored/requests/request-fields.ts';

/** A filter, with the words of its 400. */
type Filter = Omit<ParameterDescription, 'in'> & { readonly expected: string };

/** The filters of a list, each with what it expects in errors. */
const filters: readonly Filter[] = [
  {
    name: 'status',
    description: 'Only checks with this status.',
    schema: Type.Enum([...checkStatuses]),
    example: 'pending',
    expected: 'pending, answered, rejected or expired',
  },
  {
    name: 'valid',
    description: 'Only answered checks with this answer.',
    schema: Type.Boolean(),
    example: false,
    expected: 'true or false',
  },
  {
    name: 'countryCode',
    description: 'Only checks of this country.',
    schema: Type.String(),
    example: 'ES',
    expected: '2-letter ISO code',
  },
  {
    name: 'vatNumber',
    description:
      'Only checks of this number, in any spelling. Without `countryCode` those of any country.',
    schema: Type.String(),
    example: 'ESB99999902',
    expected: 'a VAT number',
  },
  {
    name: 'reference',
    description: 'Only checks with exactly this reference.',
    schema: Type.String({ maxLength: referenceMax }),
    example: 'cust_1001',
    expected: `at most ${referenceMax} printable characters`,
  },
  {
    name: 'referencePrefix',
    description: 'Only checks whose reference begins with this text.',
    schema: Type.String({ maxLength: referenceMax }),
    example: 'cust_',
    expected: `at most ${referenceMax} printable characters`,
  },
  {
    name: 'batchId',
    description: 'Only checks of this batch.',
    schema: Type.String(),
    expected: 'a batchId',
  },
  {
    name: 'since',
    description:
      'Only checks that were created at this moment or later. A date stands for its start in UTC.',
    schema: Type.String(),
    example: '2026-11-01',
    expected: momentForm,
  },
  {
    name: 'until',
    description: 'Only checks that were created before this moment, which is not before `since`.',
    schema: Type.String(),
    example: '2026-12-01T00:00:00Z',
    expected: momentForm,
  },
  {
    name: 'cursor',
    description: 'The `nextCursor` of the previous page.',
    schema: Type.String(),
    expected: 'the nextCursor of the page before',
  },
];

/** The query parameters of a list of checks, apart from `limit`. */
export const filterParameters: readonly ParameterDescription[] = filters.map(
  ({ name, description, schema, example }) => ({
    name,
    in: 'query',
    description,
    schema,
    ...(example === undefined ? undefined : { example }),
  }),
);

/** The 400 of each. */
export const malformedFilters: readonly ErrorDescription[] = filters.map(({ name, expected }) =>
  malformed(name, expected, `\`${name}\` is malformed.`),
);
