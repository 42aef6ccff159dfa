import { memberStateExpected } from '../../src/rates/read-member-state.ts';
import { Type } from 'typebox';
import { categoryLimits, expectedOf } from '../../src/rates/categories/category-query.ts';
import { malformed } from './common.ts';
import type { ErrorDescription, ParameterDescription } from './route-description.ts';

/** The query parameters of the lists of rows by goods category (rule G3). */
export const categoryParameters: readonly ParameterDescription[] = [
  {
    name: 'country',
    in: 'query',
    description: 'Only rows of this Member State, in any letter case; `EL` is read as `GR`.',
    schema: Type.String({ pattern: '^[A-Za-z]{2}$' }),
    example: 'AT',
    isInSamples: true,
  },
  {
    name: 'category',
    in: 'query',
    description:
      'Only rows of this category, in any letter case: an identifier of `/rates/categories/list`.',
    schema: Type.String({ pattern: '^\\w{1,100}$' }),
    example: 'FOODSTUFFS',
  },
  {
    name: 'cn',
    in: 'query',
    description:
      'Only rows for this code of the Combined Nomenclature: rows with a code that begins with it, or that it begins with. It has 2, 4, 6, 8 or 10 digits; blanks, dots, hyphens and a leading `ex` are ignored.',
    schema: Type.String(),
    example: '4902',
  },
  {
    name: 'cpa',
    in: 'query',
    description:
      'Only rows for this CPA code, in the same way: 2 to 6 digits, with or without dots and section letter, or the section `F`. Versions of the CPA differ below the class, so if no row of a country matches, its rows with the same first four digits do.',
    schema: Type.String(),
    example: '58.11.3',
  },
  {
    name: 'territories',
    in: 'query',
    description: '`include` adds rows for territories with rates of their own.',
    schema: Type.String({ enum: ['include'] }),
    example: 'include',
  },
  {
    name: 'uncoded',
    in: 'query',
    description:
      '`include` adds the rows without a code of either kind, at the end of the list. They count for `ambiguous`, not for `verdict`. Only with `cn` or `cpa`.',
    schema: Type.String({ enum: ['include'] }),
  },
  {
    name: 'cursor',
    in: 'query',
    description: '`nextCursor` of an earlier page. It belongs to the date of that page.',
    schema: Type.String(),
  },
  {
    name: 'limit',
    in: 'query',
    description: `The largest number of rows to return. Values above ${categoryLimits.max} mean ${categoryLimits.max}. Without it, a CSV file has all rows.`,
    schema: Type.Integer({ minimum: 1, default: categoryLimits.default }),
    example: 20,
  },
];

/** The 400s of these parameters. */
export const malformedCategoryQuery: readonly ErrorDescription[] = [
  malformed(
    'country',
    expectedOf.country,
    'None of `country`, `category`, `cn` and `cpa` is given.',
  ),
  malformed('country', memberStateExpected, '`country` is not a Member State.'),
  malformed('category', expectedOf.category, '`category` has other characters.'),
  malformed('cn', expectedOf.cn, '`cn` is malformed.'),
  malformed('cpa', expectedOf.cpa, '`cpa` is malformed.'),
  malformed('territories', expectedOf.territories, '`territories` has another value.'),
  malformed('uncoded', expectedOf.uncoded, '`uncoded` has another value, or no code is given.'),
  malformed('cursor', expectedOf.cursor, '`cursor` is not from an answer of this list and date.'),
  { error: 'invalidLimit', when: '`limit` is not a positive whole number.' },
];
