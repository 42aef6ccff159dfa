import type { Dice } from '../../support/dice.ts';
import { headers, secret } from './webhook-values.ts';
import { noReceiverUrls, receiverUrls } from './values.ts';

type Field = { readonly good: readonly unknown[]; readonly bad: readonly unknown[] };

const events: Field = {
  good: [['rates.changed'], ['rates.changed', 'rates.changed']],
  bad: [
    [],
    ['webhook.test'],
    ['rates.changed', 'x'],
    Array.from({ length: 100 }, () => 'rates.changed'),
    [['rates.changed']],
    'rates.changed',
    null,
    {},
    [null],
  ],
};
const description: Field = {
  good: ['', 'prices', null, 'é'.repeat(500), '\0', '🦊', "'; DROP TABLE subscriptions; --"],
  bad: ['x'.repeat(501), 1, true, ['x'], {}],
};
const url: Field = { good: receiverUrls, bad: noReceiverUrls };

/** The fields of each body (contract C27), with valid and invalid values. */
const fieldsOf: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  createCheck: {
    countryCode: {
      good: ['AT', 'DE', 'GR', 'XI'],
      bad: [1, null, true, ['AT'], 'AUT', '', '\0', `AT${' '.repeat(7)}`],
    },
    vatNumber: {
      good: ['U99999901', '999999901', '\uFF11\uFF12'],
      bad: [1, null, {}, '', '\0', '🦊', '9'.repeat(99), `${' '.repeat(57)}99999901`],
    },
    requester: {
      good: [null, { countryCode: 'NL', vatNumber: '854265259B01' }],
      bad: [
        {},
        'NL',
        [],
        { countryCode: 'NL' },
        { countryCode: 'NL', vatNumber: '1', x: 1 },
        { countryCode: 'NL', vatNumber: `854265259B01${' '.repeat(53)}` },
      ],
    },
    trader: {
      good: [null, {}, { name: '\u00c9 & <b>', city: '' }],
      bad: ['x', [], { name: 1 }, { name: 'x'.repeat(201) }, { colour: 'red' }],
    },
    reference: { good: [null, 'r', '=1+1'], bad: [1, 'x'.repeat(101), '\0', '\ud800'] },
    waitSeconds: { good: [0], bad: [-1, 11, '1', 0.5] },
    maxAgeSeconds: { good: [0, 60], bad: [-1, 1e300, '1'] },
    expiresInHours: { good: [1, 720], bad: [0, 721, '1'] },
  },
  createSubscription: { url, events, description, headers, secret },
  changeSubscription: {
    url,
    events,
    description,
    headers,
    status: {
      good: ['enabled', 'enabled', 'disabled'],
      bad: ['', 'Enabled', 'off', null, true, 1, ['enabled']],
    },
  },
  rotateSecret: {
    overlapHours: {
      good: [0, 1, 24, 168, 24.0],
      bad: [-1, 169, 0.5, 1e300, '24', null, true, [24], {}, -0.1],
    },
  },
};

const wrongBodies: readonly string[] = [
  '[]',
  'null',
  '"x"',
  '1',
  'true',
  '[{}]',
  '{"__proto__":{}}',
  '{"constructor":{"prototype":{}}}',
  '[['.repeat(99) + ']]'.repeat(99),
];
const noJson: readonly string[] = [
  '{',
  '{"',
  '{"a":',
  "{'a':1}",
  '{a:1}',
  '{"a":1,}',
  '{"a":NaN}',
  '{}{}',
  '{} x',
  'x',
  '<xml/>',
  ' ',
  '\ufeff{',
  '{"a":01}',
  '{"a":1e}',
  '"\n"',
  '{"a":"\\x"}',
  'a=b&c=d',
  '[1,]',
  '[['.repeat(20_000),
];

/** A body for an operation: valid, with one wrong field, or of another kind. */
export function makeBody(dice: Dice, operation: string): string | undefined {
  const fields = Object.entries(fieldsOf[operation] ?? {});
  if (dice.happens(0.04)) return dice.pick(noJson);
  if (dice.happens(0.01)) return `{}${' '.repeat(65_536)}`;
  // The body is not read: none, or any JSON.
  if (fields.length === 0) return dice.pick([undefined, undefined, '{}', '[]', 'null', '{"a":1}']);
  if (dice.happens(0.04)) return dice.pick(wrongBodies);
  if (dice.happens(0.04)) return undefined;

  const isBroken = dice.happens(0.35);
  const broken = dice.below(fields.length);
  const body: Record<string, unknown> = {};
  for (const [at, [name, { good, bad }]] of fields.entries()) {
    if (isBroken && at === broken) body[name] = dice.pick(bad);
    else if (name === 'url' || dice.happens(0.5)) body[name] = dice.pick(good);
  }
  if (dice.happens(0.05)) body[dice.pick(['colour', 'Url', 'id', 'secret', ' ', 'toString'])] = 'x';
  if (dice.happens(0.03)) delete body[dice.pick(fields)[0]];
  const text = JSON.stringify(body);
  if (dice.happens(0.02)) return `\uFEFF${text}`;
  return dice.happens(0.02) ? text.slice(0, -1) : text;
}
