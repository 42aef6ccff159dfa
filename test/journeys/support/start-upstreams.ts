import { onTestFinished } from 'vitest';
import { addDays, dateIn, type IsoDate, isoDate } from '../../../src/platform/time/time.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { databaseSettings, temporaryDatabaseUrl } from '../../support/temporary-database.ts';
import type { Environment } from './run-vatfx.ts';

/** Simulated upstreams in real time, for processes, which use the machine's clock. */
export type Upstreams = {
  readonly sandbox: Sandbox;
  /** The settings of a process that uses them, with a database of its own and free ports. */
  readonly env: Environment;
  /** The date in Brussels, for which the rates are. */
  readonly today: IsoDate;
};

/** `days` is the length of the ECB's history. The database has all tables, unless it is to be empty. */
export async function startUpstreams({
  days = 120,
  ...contents
}: { readonly days?: number; readonly isEmpty?: true } = {}): Promise<Upstreams> {
  const today = dateIn('Europe/Brussels', Date.now());
  const sandbox = await startSandbox({ brief: true, historyFrom: addDays(today, -days) });
  onTestFinished(async () => sandbox.close());
  const env = {
    ...databaseSettings(temporaryDatabaseUrl(contents)),
    ...sandbox.environment,
    PORT: '0',
    OPS_PORT: '0',
  };
  return { sandbox, env, today: isoDate(today) };
}
