import { describe, expect, it } from 'vitest';
import { printClientTypes, printWholeNumbers } from '../../reference/types/print-types.ts';
import type { Schema } from '../../reference/types/schema.ts';

const object = (properties: Readonly<Record<string, Schema>>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});

/** The lines of a type of the client, without indentation. */
async function linesOf(schema: Schema, parts = {}): Promise<readonly string[]> {
  const text = await printClientTypes({ types: { Sample: schema }, parts });
  const lines = text.split('\n').map((line) => line.trim());
  return lines.slice(
    lines.findIndex((line) => /^(?:\/\*\*|export)/.test(line)),
    -1,
  );
}

describe('the type of a field', () => {
  it.each<[string, Schema]>([
    ['Decimal', { type: 'number' }],
    ['Decimal | null', { type: ['number', 'null'] }],
    ['number', { type: 'integer' }],
    ["'a' | 'b' | null", { type: ['string', 'null'], enum: ['a', 'b', null] }],
    ["'valid' | 'not processed'", { type: 'string', pattern: '^(valid|not processed)$' }],
    ['string', { type: 'string', pattern: '^(\\d|x)$' }],
    ['0', { type: 'number', const: 0 }],
    ['readonly (Decimal | null)[]', { type: 'array', items: { type: ['number', 'null'] } }],
    ['readonly []', { type: 'array', items: { type: 'string' }, maxItems: 0 }],
    [
      'Readonly<Record<string, readonly boolean[]>>',
      { type: 'object', additionalProperties: { type: 'array', items: { type: 'boolean' } } },
    ],
    [
      'NewBatch | null',
      { anyOf: [{ $ref: '#/components/schemas/CreatedBatch' }, { type: 'null' }] },
    ],
  ])('is %s', async (type, schema) => {
    expect(await linesOf(object({ field: schema }))).toContain(`readonly field: ${type};`);
  });

  it('may be absent only if the schema does not require it', async () => {
    const optional = object({ field: { type: 'string' } }, { required: [] });

    expect(await linesOf(optional)).toContain('readonly field?: string;');
  });

  it('is the name of a part with the same shape, whatever its description', async () => {
    const parts = { Kind: { type: 'string', enum: ['a', 'b'] } };
    const field = { type: ['string', 'null'], enum: ['b', 'a', null], description: 'Its kind.' };
    const same = { ...field, enum: ['a', 'b', null] };
    const lines = await linesOf(object({ other: field, same }), parts);

    expect(lines).toContain("readonly other: 'b' | 'a' | null;");
    expect(lines).toContain('readonly same: Kind | null;');
  });

  it('has a docstring: its description, that of its values, limits and default', async () => {
    const items = { type: 'number', description: 'In percent.' };
    const rates = { type: 'array', items, description: 'All rates, ascending.' };
    const limit = {
      type: 'integer',
      minimum: 1,
      maximum: 9,
      default: 5,
      description: 'Ends */ it.',
    };
    const lines = await linesOf(object({ rates, limit }, { description: 'Words. '.repeat(20) }));

    expect(lines[0]).toBe('/**');
    expect(lines).toContain('/** All rates, ascending. In percent. */');
    expect(lines).toContain('/** Ends * / it. 1 to 9, by default 5. */');
    expect(lines.every((line) => line.length < 100)).toBe(true);
  });
});

it('a schema of a kind that has no type is an error', async () => {
  await expect(linesOf({ type: 'file' })).rejects.toThrow('no type is known');
});

it('a name that is a whole number in one answer and a decimal in another is an error', async () => {
  const types = {
    One: object({ rate: { type: 'integer' } }),
    Other: object({ rate: { type: ['number', 'null'] } }),
  };

  await expect(printWholeNumbers({ types, parts: {} })).rejects.toThrow('rate is a whole number');
});
