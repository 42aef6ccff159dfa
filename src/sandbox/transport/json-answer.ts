import type { Answer } from './answer.ts';

/** An answer of the sandbox's own routes, printed so that a person can read it. */
export function jsonAnswer(status: number, body: object): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: `${JSON.stringify(body, null, 2)}\n`,
  };
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
