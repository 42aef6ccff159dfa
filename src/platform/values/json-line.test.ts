import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineOfJsonError } from './json-line.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('lineOfJsonError', () => {
  it.each([
    ['', 1],
    ['\n \n', 1],
    ['{"a":1,\n"b":}', 2],
    ['{"a":1,\n}', 2],
    ['[1,\r\n2,\r\n]', 3],
    ['[1\n2]', 2],
    ['{"a":1}\n\nx', 3],
    ['{"a":\n"b\n"}', 2],
    ['{"a":\n"\\x"}', 2],
    ['[01]', 1],
    ['[\n1.\n]', 2],
    ['[\ntrue, falsy]', 2],
    ['{"checks":[\n{"a":1},\n{"a":2}\n\n', 3],
    ['[\n}', 2],
    ['{\n]', 2],
    ['{\n1:2}', 2],
    ['{"a"\n,1}', 2],
    ['[\n"a":1]', 2],
    ['1\n,2', 2],
    ['\uFEFF{}', 1],
    ["{'a':1}", 1],
  ])('finds the line on which %j stops being JSON', (text, line) => {
    expect(lineOfJsonError(text)).toBe(line);
  });

  it('refuses what JSON.parse refuses, and nothing else', () => {
    const signs = Array.from('{}[],:"\\ \n01-.eEtrunl/+');
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...signs), maxLength: 12 }),
      fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...signs, '')).map(([json, at, sign]) => {
        const place = at % json.length;
        return json.slice(0, place) + sign + json.slice(place + 1);
      }),
    );
    fc.assert(
      fc.property(text, (text) => {
        expect([text, lineOfJsonError(text) === undefined]).toEqual([text, isJson(text)]);
      }),
      { numRuns: 3_000 },
    );
  });
});
