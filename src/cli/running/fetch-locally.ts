import { Agent, fetch, type RequestInit, type Response } from 'undici';

const direct = new Agent();

/** Sends a request to a vatfx on this machine, never through a proxy: with NODE_USE_ENV_PROXY Node sends its own `fetch` through one. */
export async function fetchLocally(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, dispatcher: direct });
}
