import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { VatfxClient } from '../../../client/src/index.ts';
import { type DemoWorld, startDemoWorld } from '../../../src/cli/demo/world.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import type { Clock } from '../../../src/platform/time/time.ts';
import type { CommandBlock } from './command-blocks.ts';
import { type Ended, ShellSession } from './shell-session.ts';
import { readShownStatus } from './shown-output.ts';

/** A demo in this process, and a shell for each document that is read with it. */
export class Reader implements AsyncDisposable {
  readonly #world: DemoWorld;
  readonly #folder = mkdtempSync(join(tmpdir(), 'vatfx-reader-'));
  readonly #sessions = new Map<string, ShellSession>();

  private constructor(world: DemoWorld) {
    this.#world = world;
  }

  /** Starts the demo at this time. */
  static async start(clock: Clock): Promise<Reader> {
    const world = await startDemoWorld({
      config: readConfig({ PORT: '0', OPS_PORT: '0' }, '').config,
      log: pino({ level: 'silent' }),
      clock,
      signal: new AbortController().signal,
    });
    if (world === undefined) throw new Error('the start of the demo was broken off');
    return new Reader(world);
  }

  /** A client of the demo. */
  get client(): VatfxClient {
    return new VatfxClient({ url: this.#world.service.apiUrl, key: this.#world.key });
  }

  /** Runs a block in the shell of its document. */
  async run({ document, commands }: CommandBlock): Promise<Ended> {
    const session = this.#sessions.get(document) ?? this.#open();
    this.#sessions.set(document, session);
    return session.run(commands);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#world[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #open(): ShellSession {
    const own = join(this.#folder, String(this.#sessions.size));
    mkdirSync(own);
    return new ShellSession({
      own,
      ports: {
        8080: this.#world.service.apiUrl,
        9080: this.#world.service.opsUrl,
        9100: this.#world.sandbox.url,
      },
      // Some pages expect the key in this variable.
      // oxlint-disable-next-line node/no-process-env -- the folders of curl and of other programs
      env: { PATH: process.env['PATH'] ?? '', KEY: this.#world.key },
      seen: `${this.#world.key}\n${exampleSecret}\n`,
    });
  }
}

/** A signing secret for the page that begins after a subscription was made. */
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

/** Starts a demo at this time for the tests of a file. */
export function shareReader(clock: Clock): () => Reader {
  let reader: Reader | undefined;
  beforeAll(async () => {
    reader = await Reader.start(clock);
    // The demo publishes three weeks; on a busy machine that has taken more than the usual 30 s.
  }, 120_000);
  afterAll(async () => reader?.[Symbol.asyncDispose]());
  return () => {
    if (reader === undefined) throw new Error('the demo did not start');
    return reader;
  };
}

/**
 * Lists the reasons for which a block did not work: its exit code, responses that are errors although the document
 * shows none, and shown output that is missing. `findMissing` compares the output.
 */
export function findProblems(
  { shown }: CommandBlock,
  { code, statuses, stdout, stderr }: Ended,
  findMissing: (shown: string, printed: string) => readonly string[],
): readonly string[] {
  const shownStatus = readShownStatus(shown);
  const wrong = statuses.filter((status) =>
    shownStatus === undefined ? status >= 400 : status !== shownStatus,
  );
  return [
    ...(code === 0 ? [] : [`exit code ${code}: ${stderr}${stdout}`]),
    ...wrong.map((status) => `status ${status}: ${stdout}`),
    ...findMissing(shown ?? '', stdout).map((piece) => `not in the output: ${piece}`),
  ];
}
