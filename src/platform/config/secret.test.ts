import { inspect } from 'node:util';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Secret } from './secret.ts';

const secret = new Secret('correct horse', 'set, 13 characters');

describe('Secret (contract C33)', () => {
  it('returns its value from reveal', () => {
    expect(secret.reveal()).toBe('correct horse');
  });

  it.each<[string, () => string]>([
    ['a conversion to text', () => String(secret)],
    ['a list as text', () => [secret].join(',')],
    ['JSON', () => JSON.stringify({ secret })],
    ['inspect', () => inspect({ secret }, { showHidden: true, depth: 9 })],
    ['the properties', () => JSON.stringify(Object.getOwnPropertyDescriptors(secret))],
    ['a copy', () => JSON.stringify(Object.assign({}, secret))],
    ['a structured clone', () => inspect(structuredClone(secret))],
    ['an error', () => inspect(Object.assign(new Error('no'), { secret }))],
    ['the log', () => logged({ secret })],
    ['an error in the log', () => logged({ err: Object.assign(new Error('no'), { secret }) })],
  ])('cannot be printed by %s', (_, print) => {
    expect(print()).not.toMatch(/correct|horse/);
  });

  it('prints its description instead of its value', () => {
    expect([String(secret), JSON.stringify(secret), inspect(secret)]).toEqual([
      'set, 13 characters',
      '"set, 13 characters"',
      'set, 13 characters',
    ]);
  });
});

function logged(fields: object): string {
  const lines: string[] = [];
  pino({}, { write: (line) => lines.push(line) }).info(fields, 'said');
  return lines.join('');
}
