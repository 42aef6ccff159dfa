import { describe, expect, it } from 'vitest';
import { findBreaks } from '../../reference/compatibility/documents.ts';
import type { Json } from '../../reference/openapi/schemas.ts';
import {
  bothWays,
  harmless,
  inAnswers,
  inRequests,
  type Make,
} from './support/document-changes.ts';
import { answer, answering, operating, text, union } from './support/small-documents.ts';

const listChanges = async (make: Make, before: Json, now: Json): Promise<readonly string[]> =>
  (await findBreaks(make(before), make(now))).map(({ what }) => what);

describe('the comparison of a document with an earlier one (docs/support.md)', () => {
  it.each([...inAnswers, ...inRequests])(
    'says that %s, and nothing of the way back',
    async (what, make, before, now) => {
      expect(await listChanges(make, before, now)).toEqual([what]);
      expect(await listChanges(make, now, before)).toEqual([]);
    },
  );

  it.each(bothWays)(
    'says that %s; of the way back, that %s',
    async (what, back, make, before, now) => {
      expect(await listChanges(make, before, now)).toEqual([what]);
      expect(await listChanges(make, now, before)).toEqual([back]);
    },
  );

  it.each(harmless)('takes %s for no break', async (_, make, before, now) => {
    expect(await listChanges(make, before, now)).toEqual([]);
    expect(await listChanges(make, now, before)).toEqual([]);
  });

  it('names an operation and an event that are gone, and takes new ones', async () => {
    const [whole, empty] = [operating({}), { ...operating({}), paths: {}, webhooks: {} }];

    expect(await findBreaks(whole, empty)).toEqual([
      { operation: 'POST /x', what: 'it is gone' },
      { operation: 'x.done', what: 'it is gone' },
    ]);
    expect(await findBreaks(empty, whole)).toEqual([]);
  });

  it.each([
    ['allOf', answering({ allOf: [text] })],
    ['a keyword beside anyOf', answering({ ...union(text), minLength: 1 })],
    ['links of an answer', operating(answer({ links: {} }))],
    [
      'parameters of a path',
      { ...operating({}), paths: { '/x': { parameters: [{ name: 'a' }] } } },
    ],
  ])('refuses %s, which it does not compare', async (_, document) => {
    await expect(findBreaks(document, document)).rejects.toThrow('does not compare the keywords');
  });

  it('refuses a schema within itself', async () => {
    const tree = { type: 'array', items: { $ref: '#/components/schemas/Tree' } };
    const document = { ...answering(tree), components: { schemas: { Tree: tree } } };

    await expect(findBreaks(document, document)).rejects.toThrow('Circular $ref pointer');
  });
});
