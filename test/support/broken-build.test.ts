import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from 'vitest';
import { breakSource } from './broken-build.ts';

const file = 'part/thing.ts';
const product = `
  const factor = 10 as const;
  export const half = (value: number): number => value / 2;
  export function scale(value: number): number {
    const half = value;
    return half * factor;
  }
  class Counter {
    #count = 0;
    #add(by: number): void {
      this.#count += by;
    }
    add(by: number): this {
      this.#add(by);
      return this;
    }
    get count(): number {
      return this.#count;
    }
  }
  export function countTo(end: number): number {
    const step = (by: number): number => by;
    return new Counter().add(step(end)).count;
  }
`;

/** The module with one declaration replaced. */
async function load(
  name: string,
  by: string,
): Promise<Record<'half' | 'scale' | 'countTo', (value: number) => number>> {
  const broken = breakSource([{ file, name, by }], `file:///x/src/${file}`, product);
  const script = Buffer.from(stripTypeScriptTypes(broken)).toString('base64');
  return import(/* @vite-ignore */ `data:text/javascript;base64,${script}`);
}

describe('breakSource', () => {
  it('calls the replacement of a function with the original and the arguments', async () => {
    const { scale } = await load('scale', '(whole, value) => -whole(value + 1)');

    expect(scale(1)).toBe(-20);
  });

  it('replaces the declaration at the surface, not one of the same name inside a function', async () => {
    const { scale, half } = await load('half', '(whole, value) => whole(value) + 0.5');

    expect([scale(1), half(1)]).toEqual([10, 1]);
  });

  it('calls the replacement of a constant with its value', async () => {
    expect((await load('factor', '(whole) => whole + 1')).scale(1)).toBe(11);
  });

  it.each([
    ['a method', 'Counter.add', '(whole, by) => whole(by * 2)', 6],
    ['a private method', 'Counter.#add', '(whole, by) => { whole(by); this.#count += 1; }', 4],
    ['a getter', 'Counter.count', '(whole) => -whole()', -3],
    ['a function inside a function', 'countTo.step', '(whole, by) => whole(by) + 4', 7],
  ])('replaces %s', async (_, name, by, expected) => {
    expect((await load(name, by)).countTo(3)).toBe(expected);
  });

  it('leaves other modules as they are', () => {
    const change = { file, name: 'scale', by: '() => 0' };

    expect(breakSource([change], 'file:///x/src/another/thing.ts', product)).toBe(product);
  });

  it.each(['shrink', 'Counter.remove'])(
    'names the file and the missing declaration: %s',
    (name) => {
      expect(() => breakSource([{ file, name, by: '() => 0' }], `/src/${file}`, product)).toThrow(
        `src/part/thing.ts no longer declares ${name}`,
      );
    },
  );

  it('refuses a name that is declared twice', () => {
    const twice = `${product} class Other { get a() { return 1; } set a(value) {} }`;

    expect(() =>
      breakSource([{ file, name: 'Other.a', by: '() => 0' }], `/src/${file}`, twice),
    ).toThrow('src/part/thing.ts declares Other.a more than once');
  });
});
