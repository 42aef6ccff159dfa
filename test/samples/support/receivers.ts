import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { testSecret } from '../../../client/src/testing.ts';
import { eventually } from '../../support/eventually.ts';
import { reportFigure } from '../../support/proof.ts';
import { findFreePort, listens } from '../../support/server-process.ts';
import { cases, type Delivery, makeDeliveries, makeUnusable } from './cases.ts';
import { build, environmentOf, isInstalled, type Language, run } from './languages.ts';

/** A receiver of docs/samples that was started; `exitCode` is null while it runs. */
export type Receiver = {
  readonly exitCode: () => number | null;
  readonly said: () => string;
  readonly end: () => Promise<void>;
};

/** Starts the receiver and waits until it listens or has ended; it is ended with the test. */
export async function startReceiver(
  language: Language,
  of: { readonly folder: string; readonly port: number; readonly env: NodeJS.ProcessEnv },
): Promise<Receiver> {
  const [program = '', ...args] = language.receive(of.port);
  const env = { PORT: String(of.port), SEEN_FOLDER: join(of.folder, 'seen'), ...of.env };
  const child: ChildProcess = spawn(program, args, {
    cwd: of.folder,
    env: environmentOf({ folder: of.folder, env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
  };
  onTestFinished(end);
  let said = '';
  child.stdout?.on('data', (bytes: Buffer) => (said += bytes.toString()));
  child.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()));
  await eventually(async () => child.exitCode !== null || (await listens(of.port)));
  if (child.exitCode !== null) await closed;
  return { exitCode: () => child.exitCode, said: () => said, end };
}

/**
 * Runs the function and the receiver of each language against the vectors of the client (rule R45, contract C28a). `env` is
 * for receivers that call the service as well.
 */
export function describeReceivers(
  languages: readonly Language[],
  env: () => NodeJS.ProcessEnv = () => ({}),
): void {
  describe.each(languages)('the documented receiver: $name', (language) => {
    // The receiver of a language that is missing is not run, which shows here and on the page of proofs.
    const isSkipped = !isInstalled(language);
    if (isSkipped)
      reportFigure('R45', `${language.name}: not run, because it is not installed here`);
    let folder = '';

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vatfx-receivers-'));
      if (!isSkipped) await build(language, folder);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it.skipIf(isSkipped)('its function accepts what is signed and refuses all else', async () => {
      const input = cases.map(({ line }) => line).join('');

      const { code, output } = await run(language.verify, { folder, input });

      const answers = output.trimEnd().split('\n');
      const wrong = cases.filter(({ isSigned }, at) => answers[at] !== String(isSigned));
      expect(wrong.map(({ name }) => name)).toEqual([]);
      expect({ code, count: answers.length }).toEqual({ code: 0, count: cases.length });
    });

    it.skipIf(isSkipped)(
      'answers 204 to events of each type and of types that no version has, and 401 to all that is not signed',
      async () => {
        const port = await findFreePort();
        const receiver = await startReceiver(language, {
          folder,
          port,
          env: { ...env(), WEBHOOK_SECRET: testSecret },
        });
        const deliveries = makeDeliveries();

        const wrong: string[] = [];
        for (const delivery of deliveries) {
          const status = await post(port, delivery);
          if (status !== delivery.status) wrong.push(`${status} to ${delivery.name}`);
        }
        await breakOff(port);
        const afterwards = await post(port, makeDeliveries()[0]);

        expect(wrong).toEqual([]);
        expect(afterwards).toBe(204);
        await eventually(() => receiver.said().includes('HU'));
        const count = `${cases.length} signatures and ${deliveries.length} deliveries`;
        reportFigure('R45', `${language.name}: ${count}, ${wrong.length} judged wrongly`);
      },
    );

    it.skipIf(isSkipped)('does not start with a secret that anybody could know', async () => {
      const unusable = makeUnusable();

      const outcomes = await Promise.all(
        unusable.map(async ({ secret, ...delivery }) => {
          const port = await findFreePort();
          const receiver = await startReceiver(language, {
            folder,
            port,
            env: { ...env(), ...(secret === undefined ? {} : { WEBHOOK_SECRET: secret }) },
          });
          const code = receiver.exitCode();
          const did = code === null ? `answers ${await post(port, delivery)}` : `ends with ${code}`;
          await receiver.end();
          const [why = 'silently'] = /expected whsec_ and/.exec(receiver.said()) ?? [];
          return `${delivery.name}: ${did}, ${why}`;
        }),
      );

      const refusal = language.hasStart ? 'ends with 1' : 'answers 500';
      expect(outcomes).toEqual(
        unusable.map(({ name }) => `${name}: ${refusal}, expected whsec_ and`),
      );
      reportFigure('R45', `${language.name}: ${unusable.length} unusable secrets, each ${refusal}`);
    });
  });
}

/** The status that the receiver answers; `nothing` if it closes the connection. */
async function post(
  port: number,
  delivery: Pick<Delivery, 'headers' | 'body'> | undefined,
): Promise<number | string> {
  const { headers, body } = delivery ?? {};
  return fetch(`http://127.0.0.1:${port}/vat`, {
    method: 'POST',
    ...(headers === undefined
      ? {}
      : { headers: { 'content-type': 'application/json', ...headers } }),
    ...(body === undefined ? {} : { body }),
  }).then(
    ({ status }) => status,
    () => 'nothing',
  );
}

/** Sends the beginning of a body, and hangs up. */
async function breakOff(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket
      .on('error', () => {})
      .end('POST /vat HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf');
    socket.once('finish', () => socket.destroy());
  });
}
