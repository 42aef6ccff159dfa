import { sha256 } from '../../../src/platform/values/digest.ts';
import { get, type ServeProcess } from './serve-process.ts';

/** An answer as callers and caches keep it. */
export type Answer = {
  readonly status: number;
  readonly etag: string | null;
  readonly cacheControl: string | null;
  /** SHA-256 of the body. */
  readonly digest: string;
};

/** Reads what callers see of paths whose answer never changes. */
export async function readAnswers(
  { apiUrl }: ServeProcess,
  key: string,
  paths: readonly string[],
): Promise<Readonly<Record<string, Answer>>> {
  const answers: Record<string, Answer> = {};
  for (const path of paths) {
    const response = await fetch(apiUrl + path, { headers: { authorization: `Bearer ${key}` } });
    const { status, headers } = response;
    const etag = headers.get('etag');
    const cacheControl = headers.get('cache-control');
    answers[path] = { status, etag, cacheControl, digest: sha256(await response.text()) };
  }
  return answers;
}

/** Reads the JSON bodies of paths to whose answers fields may be added. */
export async function readBodies(
  { apiUrl }: ServeProcess,
  key: string,
  paths: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const bodies: Record<string, unknown> = {};
  for (const path of paths) bodies[path] = JSON.parse((await get(apiUrl + path, key)).text);
  return bodies;
}

/** Cursors are opaque: a version may write them in another form, and reads those of the version before. */
export function withoutCursors(bodies: Readonly<Record<string, unknown>>): object {
  const text = JSON.stringify(bodies, (name, value: unknown) =>
    /cursor/i.test(name) ? undefined : value,
  );
  return JSON.parse(text) as object;
}

/** Reads the count of requests charged to a key this month; the request itself is not counted in it. */
export async function readUsed({ apiUrl }: ServeProcess, key: string): Promise<number> {
  const { quota } = JSON.parse((await get(`${apiUrl}/usage`, key)).text) as {
    readonly quota: { readonly used: number };
  };
  return quota.used;
}
