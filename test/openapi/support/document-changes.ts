import type { Json } from '../../../reference/openapi/schemas.ts';
import {
  anObject,
  answer,
  answering,
  asking,
  body,
  closed,
  errata,
  erratum,
  heading,
  integer,
  json,
  listOf,
  mapOf,
  number,
  oneOf,
  operating,
  orNull,
  parameter,
  sending,
  statuses,
  taking,
  text,
  truth,
  union,
} from './small-documents.ts';

/** Makes a document of the part that changes. */
export type Make = (part: Json) => Json;

const csv = { 'text/csv': { schema: text } };
const eventId = { name: 'webhook-id', in: 'header', schema: text };

/** What is said of a change. The way back, such as a new field, breaks nobody. */
export const inAnswers: readonly (readonly [what: string, make: Make, before: Json, now: Json])[] =
  [
    ['`a` of answer 200 is gone', answering, anObject({ a: text }), anObject({})],
    [
      '`[].a.b` of answer 200 is gone',
      answering,
      listOf(anObject({ a: anObject({ b: text }) })),
      listOf(anObject({ a: anObject({}) })),
    ],
    [
      '`a` of answer 200 may be absent',
      answering,
      anObject({ a: text }, ['a']),
      anObject({ a: text }),
    ],
    [
      '`a` of answer 200 may be null',
      answering,
      anObject({ a: text }),
      anObject({ a: orNull('string') }),
    ],
    [
      '`[]` of answer 200 may be null',
      answering,
      listOf(text),
      listOf(union(text, { type: 'null' })),
    ],
    ['answer 200 may be a boolean', answering, text, { oneOf: [text, truth] }],
    ['answer 200 may be a number', answering, integer, number],
    ['answer 200 may be `c`', answering, oneOf('a', 'b'), oneOf('a', 'b', 'c')],
    ['answer 200 may be `false`', answering, { const: true }, truth],
    ['answer 200 may be something else than `a`, `b`', answering, oneOf('a', 'b'), text],
    [
      'answer 200 has `maxLength` none instead of 5',
      answering,
      union({ const: 'long enough' }, { ...text, maxLength: 5 }),
      text,
    ],
    [
      '`a{}` of answer 200 may be null',
      answering,
      anObject({ a: mapOf(number) }),
      anObject({ a: mapOf(orNull('number')) }),
    ],
    ['`{}` of answer 200 is gone', answering, mapOf(number), anObject({})],
    [
      '`{} (name)` of answer 200 may be `BE`',
      answering,
      { ...mapOf(number), propertyNames: oneOf('AT') },
      { ...mapOf(number), propertyNames: oneOf('AT', 'BE') },
    ],
    ['`{}` of answer 200 may be present', answering, closed({}), anObject({})],
    [
      '`errata[kind=goods].field` of answer 200 is gone',
      answering,
      errata(erratum('national'), erratum('goods')),
      errata(erratum('national'), erratum('goods', {})),
    ],
    [
      '`errata[].kind` of answer 200 may be `place`',
      answering,
      errata(erratum('national'), erratum('goods', {})),
      errata(erratum('national'), erratum('goods', {}), erratum('place', {})),
    ],
    ['header `ETag` of answer 200 may be absent', heading, { required: true }, {}],
    [
      'header `ETag` of answer 200 may be null',
      heading,
      { schema: integer },
      { schema: orNull('integer') },
    ],
    [
      'header `ETag` of answer 200 is gone',
      operating,
      answer({ headers: { ETag: {} } }),
      answer({}),
    ],
    [
      '`text/csv` of answer 200 is gone',
      operating,
      answer({ content: { ...json(text), ...csv } }),
      answer({ content: json(text) }),
    ],
    ['answer 304 is gone', operating, statuses('200', '304'), statuses('200')],
    ['answer 413 is gone', operating, statuses('200', '413'), statuses('200')],
    ['`id` of the body is gone', sending, body(anObject({ id: text })), body(anObject({}))],
    [
      'header parameter `webhook-id` may be absent',
      sending,
      { parameters: [{ ...eventId, required: true }] },
      { parameters: [eventId] },
    ],
  ];

export const inRequests: typeof inAnswers = [
  ['query parameter `limit` is gone', operating, parameter(number), {}],
  [
    'query parameter `limit` must be given',
    operating,
    parameter(number),
    parameter(number, { required: true }),
  ],
  ['query parameter `limit` no longer takes null', asking, orNull('number'), number],
  ['query parameter `limit` no longer takes a number', asking, number, integer],
  ['query parameter `limit` no longer takes `b`', asking, oneOf('a', 'b'), oneOf('a')],
  [
    'query parameter `limit` has `maximum` 50 instead of 100',
    asking,
    { ...integer, maximum: 100 },
    { ...integer, maximum: 50 },
  ],
  [
    'query parameter `limit` has `minimum` 2 instead of 1',
    asking,
    { ...integer, minimum: 1 },
    { ...integer, minimum: 2 },
  ],
  [
    'query parameter `limit` has `pattern` `^a` instead of none',
    asking,
    text,
    { ...text, pattern: '^a' },
  ],
  [
    'query parameter `limit` has `default` none instead of 200',
    asking,
    { ...integer, default: 200 },
    integer,
  ],
  ['`a` of the body must be given', taking, closed({ a: text }), closed({ a: text }, ['a'])],
  ['`a` of the body is gone', taking, closed({ a: text }), closed({})],
  ['`{}` of the body is refused', taking, anObject({}), closed({})],
  ['`{}` of the body no longer takes every value', taking, anObject({}), mapOf(text)],
  ['`{}` of the body no longer takes null', taking, mapOf(orNull('string')), mapOf(text)],
  [
    '`[]` of the body has `maxItems` 5 instead of 10',
    taking,
    listOf({ ...listOf(text), maxItems: 10 }),
    listOf({ ...listOf(text), maxItems: 5 }),
  ],
  ['the body must be given', operating, body(text), body(text, { required: true })],
  ['the body is gone', operating, body(text), {}],
  [
    '`text/csv` of the body is gone',
    operating,
    body(text, { content: { ...json(text), ...csv } }),
    body(text),
  ],
  ['it needs another key or scope', operating, { security: [] }, {}],
  ['it needs another key or scope', operating, { security: [{ key: [] }, { basic: [] }] }, {}],
  ['answer 410 is gone', sending, statuses('2XX', '410'), statuses('2XX')],
];

/** What is said of a change, and of the way back. */
export const bothWays: readonly (readonly [
  what: string,
  back: string,
  make: Make,
  before: Json,
  now: Json,
])[] = [
  [
    'it needs another key or scope',
    'it needs another key or scope',
    operating,
    { security: [{ key: ['read'] }] },
    { security: [{ key: ['admin'] }] },
  ],
  ['answer 200 may be a number', 'answer 200 may be a string', answering, text, number],
  [
    'answer 200 has `format` `time` instead of `date`',
    'answer 200 has `format` `date` instead of `time`',
    answering,
    { ...text, format: 'date' },
    { ...text, format: 'time' },
  ],
  [
    '`a` of answer 200 is new',
    '`a` of answer 200 is gone',
    answering,
    closed({}),
    closed({ a: text }),
  ],
  ['answer 202 is new', 'answer 202 is gone', operating, statuses('200'), statuses('200', '202')],
  [
    'query parameter `limit` must be given',
    'query parameter `limit` is gone',
    operating,
    {},
    parameter(number, { required: true }),
  ],
  [
    '`a` of the body must be given',
    '`a` of the body is gone',
    taking,
    closed({}),
    closed({ a: text }, ['a']),
  ],
  [
    'query parameter `limit` has `pattern` `^b` instead of `^a`',
    'query parameter `limit` has `pattern` `^a` instead of `^b`',
    asking,
    { ...text, pattern: '^a' },
    { ...text, pattern: '^b' },
  ],
  [
    'query parameter `limit` no longer takes `abc`',
    'query parameter `limit` takes only `a`, `abc`',
    asking,
    oneOf('a', 'abc'),
    { ...text, pattern: '^.$' },
  ],
  [
    'query parameter `limit` has `default` 50 instead of 200',
    'query parameter `limit` has `default` 200 instead of 50',
    asking,
    { ...integer, default: 200 },
    { ...integer, default: 50 },
  ],
  [
    'query parameter `limit` has another `explode`',
    'query parameter `limit` has another `explode`',
    operating,
    parameter(listOf(text), { explode: false }),
    parameter(listOf(text)),
  ],
  [
    'its operationId is `y` instead of `x`',
    'its operationId is `x` instead of `y`',
    operating,
    {},
    { operationId: 'y' },
  ],
];

/** Changes that break nobody in either direction. */
export const harmless: readonly (readonly [name: string, make: Make, before: Json, now: Json])[] = [
  ['a remark for tools', operating, parameter(text), parameter(text, { 'x-in-samples': true })],
  ['values in another form', answering, oneOf('a', 'b'), union({ const: 'b' }, { const: 'a' })],
  ['null in another form', taking, orNull('string'), union({ type: 'null' }, text)],
  ['a component', answering, { ...text, maxLength: 5 }, { $ref: '#/components/schemas/Short' }],
  [
    'words and examples',
    answering,
    text,
    { ...text, description: 'A text.', example: 'a', 'x-in-samples': true },
  ],
  ['the text of a header', heading, { schema: text }, { schema: { ...text, pattern: '^a' } }],
];
