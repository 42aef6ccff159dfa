import { globSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import type { VatfxClient } from '../../../client/src/index.ts';

/** A call of the client in a document, and the result in the comment below it, both as JavaScript. */
export type ClientResult = {
  readonly document: string;
  readonly call: string;
  readonly result: string;
};

/**
 * The calls of `vatfx` in JavaScript of the documents that show the whole result. Calls with the rule of a law are left out:
 * the documents show what the ECB published on that date, and the demo has other values.
 */
export function readClientResults(): readonly ClientResult[] {
  const all = globSync(['client/README.md', 'docs/*.md']).flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/```js\n([^]*?)\n```/g)].flatMap(([, code = '']) =>
      [...code.matchAll(/^(\(?await vatfx\..*);(?: \/\/.*)?\n((?:\/\/ .*(?:\n|$))+)/gm)].map(
        ([, call = '', comment = '']) => ({
          document,
          call,
          result: comment.replaceAll(/^\/\/ /gm, ''),
        }),
      ),
    ),
  );
  return all.filter(({ call }) => !call.includes('rule: '));
}

/** Makes the call, and evaluates the result that is shown; milliseconds of instants are those of one run. */
export async function evaluate(
  { call, result }: ClientResult,
  vatfx: VatfxClient,
): Promise<{ readonly answered: unknown; readonly shown: unknown }> {
  const answered: unknown = await runInNewContext(`(async () => ${call})()`, { vatfx });
  const shown: unknown = runInNewContext(`(${result})`);
  return { answered: withoutMilliseconds(answered), shown: withoutMilliseconds(shown) };
}

function withoutMilliseconds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/\.\d{3}Z/g, 'Z'));
}
