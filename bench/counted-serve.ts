import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { StatementSync } from 'node:sqlite';
import { Client } from 'pg';
import { loadConfig } from '../src/platform/config/config.ts';
import { createLog } from '../src/platform/log/log.ts';
import { formatInstant } from '../src/platform/time/time.ts';
import { startServer } from '../src/composition/server.ts';
import { announce } from '../src/events/outbox.ts';

/**
 * `serve` that counts its statements, for P17. Its first argument is the port of three further routes: `/statements` answers
 * the number of statements so far, `/waiting` that of the requests that wait for an event, and `/event` announces an event
 * of the only key and answers the moment of its commit.
 */
let statements = 0;
countCalls(Client.prototype as object as Methods, ['query']);
countCalls(StatementSync.prototype as object as Methods, ['all', 'get', 'iterate', 'run']);

const { config } = loadConfig();
const service = await startServer({ config, log: createLog(config.logLevel, process.stdout) });
const figures: Readonly<Record<string, () => Promise<number>>> = {
  '/statements': async () => statements,
  '/waiting': countWaiting,
  '/event': announceNow,
};
const control = createServer((request, response) => {
  const figure = figures[request.url ?? '']?.() ?? Promise.resolve(Number.NaN);
  void figure.then((number) => response.end(String(number)));
}).listen(Number(process.argv[2]), '127.0.0.1');
process.once('SIGTERM', () => {
  control.close();
  control.closeAllConnections();
  void service.stop();
});

type Methods = Record<string, (...args: unknown[]) => unknown>;

function countCalls(prototype: Methods, names: readonly string[]): void {
  for (const name of names) {
    const method = prototype[name];
    if (method === undefined) throw new Error(`the driver has no ${name}`);
    prototype[name] = function (...args: unknown[]): unknown {
      statements += 1;
      return method.apply(this, args);
    };
  }
}

async function countWaiting(): Promise<number> {
  const status = await fetch(`${service.opsUrl}/status`);
  const { events } = (await status.json()) as { events: { waitingReaders: number } };
  return events.waitingReaders;
}

/** Announces an event of the only key. */
async function announceNow(): Promise<number> {
  const { db } = service.core;
  const { id: keyId } = await db.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
  const subject = `vc_${randomBytes(16).toString('hex')}`;
  const event = { keyId, subject, fields: { id: subject, valid: true } };
  const at = formatInstant(Date.now());
  await db.transaction().execute(async (tx) => announce(tx, { type: 'vat.checked', at, ...event }));
  return performance.timeOrigin + performance.now();
}
