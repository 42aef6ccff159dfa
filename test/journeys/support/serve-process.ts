import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { createKey as storeKey } from '../../../src/access/authentication/key-changes.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import {
  type Environment,
  type ProcessOptions,
  type RunningVatfx,
  startVatfx,
} from './run-vatfx.ts';
import { making } from '../../support/making.ts';

/** A server in a process of its own. */
export type ServeProcess = {
  readonly process: RunningVatfx;
  readonly apiUrl: string;
  readonly opsUrl: string;
};

/** Starts `vatfx serve` and waits until it listens. */
export async function startServe(
  env: Environment,
  options: ProcessOptions = {},
): Promise<ServeProcess> {
  const process = startVatfx(['serve'], env, options);
  const [, apiUrl = '', opsUrl = ''] = await process.waitForOutput(
    /"apiUrl":"(http:[^"]+)","opsUrl":"(http:[^"]+)","msg":"listening"/,
  );
  return { process, apiUrl, opsUrl };
}

/** Stops it as an operator does; throws unless it ends with 0. */
export async function stopServe({ process }: ServeProcess): Promise<void> {
  process.signal('SIGTERM');
  const { code, stderr } = await process.ended();
  if (code !== 0) throw new Error(`vatfx serve: exit code ${code}: ${stderr}`);
}

/** Creates a key in the database of a process. */
export async function createKey(env: Environment): Promise<string> {
  const db = await openDatabase(env['DATABASE_URL'] ?? '', making);
  try {
    const at = new Date().toISOString();
    return (await storeKey(db, { name: 'test', expiresAt: null, at })).key;
  } finally {
    await db.destroy();
  }
}

/** Sends a request with a key, and reads the whole answer. */
export async function get(
  url: string,
  key: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, text: await response.text() };
}

/**
 * Sends the beginning of the head of a request, so that the server waits for the rest.
 *
 * A complete request is sent before it in the same packet: when that one is answered, the server has read the
 * beginning of the other.
 */
export async function beginRequest(
  apiUrl: string,
  { path, key }: { readonly path: string; readonly key: string },
): Promise<UnfinishedRequest> {
  const { hostname, port } = new URL(apiUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const head = ` ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n`;
  socket.write(`HEAD${head}\r\nGET${head}`);
  await once(socket, 'data');
  return new UnfinishedRequest(socket);
}

export class UnfinishedRequest {
  readonly #socket: Socket;
  #answer = '';

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8').on('data', (text: string) => (this.#answer += text));
    socket.on('error', () => {});
  }

  /** Sends the rest, and returns everything until the server closes the connection. */
  async finish(): Promise<string> {
    const closed = once(this.#socket, 'close');
    this.#socket.write('\r\n');
    await closed;
    return this.#answer;
  }
}
