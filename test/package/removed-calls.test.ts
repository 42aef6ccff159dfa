import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { refuseRemovedCalls } from '../../scripts/removed-calls.ts';
import { temporaryFolder } from '../support/temporary-database.ts';

const functions = Object.getOwnPropertyNames(globalThis).filter(
  (name) => name !== 'eval' && typeof Reflect.get(globalThis, name) === 'function',
);

/** The functions of which a bundle has no call whose result is unused. */
async function listRemoved(): Promise<readonly string[]> {
  const calls = functions.map((name) => `try { ${name}(x); } catch { return '${name}'; }`);
  const code = await bundle(`export function call(x) {\n${calls.join('\n')}\n}`);
  return functions.filter((name) => !new RegExp(`['"\`]${name}['"\`]`).test(code));
}

async function bundle(source: string, plugins: readonly Plugin[] = []): Promise<string> {
  const file = join(temporaryFolder(), 'module.ts');
  writeFileSync(file, source);
  const made = await rolldown({ input: file, plugins: [...plugins] });
  const { output } = await made.generate({ minify: { compress: true, mangle: false } });
  return output[0].code;
}

it('the bundler refuses exactly the calls that it would remove, though they may throw', async () => {
  const removed = await listRemoved();
  const refused = await Promise.all(
    functions.map(async (name) =>
      bundle(`export const call = (x: string) => { ${name}(x); };`, [refuseRemovedCalls]).then(
        () => [],
        (error: unknown) => (String(error).includes(`use the result of ${name}()`) ? [name] : []),
      ),
    ),
  );

  expect(removed).toContain('decodeURIComponent');
  expect(refused.flat()).toEqual(removed);
});
