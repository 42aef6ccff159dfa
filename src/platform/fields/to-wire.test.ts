import { expect, it } from 'vitest';
import * as schema from './schema.ts';
import { toWire } from './to-wire.ts';

const { absentable, asWritten, decimal, list, literal, object, orNull, record, string, union } =
  schema;

const rate = union([decimal(), list(decimal()), schema.nothing]);
const entry = object({ kind: literal('rate'), rate, before: orNull(decimal()) });
const note = object({
  kind: literal('note'),
  text: string(),
  by: absentable(literal('author')),
  words: asWritten(list(object({ a: string(), b: string() }))),
});
const all = object({ entries: list(union([entry, note])), byCountry: record(string(), entry) });

it('prints the fields of a schema in its order, decimals with their digits', () => {
  const one = { before: '1.10', rate: ['5.0', '10'], kind: 'rate', id: 7 } as const;

  const printed = toWire(all, {
    byCountry: { AT: one, DE: { ...one, rate: '0.00', before: null } },
    entries: [
      { ...one, rate: null },
      { text: 'x', kind: 'note', by: undefined, words: [{ b: '1', a: '2' }] },
    ],
  });

  expect(JSON.stringify(printed)).toBe(
    '{"entries":[{"kind":"rate","rate":null,"before":1.10},{"kind":"note","text":"x","words":[{"b":"1","a":"2"}]}],' +
      '"byCountry":{"AT":{"kind":"rate","rate":[5.0,10],"before":1.10},' +
      '"DE":{"kind":"rate","rate":0.00,"before":null}}}',
  );
});
