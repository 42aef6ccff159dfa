import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { addDays, dateIn } from '../../src/platform/time.ts';
import { brokenEnvironment } from '../support/broken-environment.ts';
import { eventually } from '../support/eventually.ts';
import { runVatfx, startVatfx } from './support/run-vatfx.ts';
import { WebhookWorld } from './support/webhook-world.ts';

/** Longer than the dispatcher waits between two looks. */
const looksMs = 1_200;

describe('SIGTERM while receivers answer (operator.md)', () => {
  it('lets the attempts end, records them, and exits with 0 within 30 s', async () => {
    // Attempts have 3 s instead of 15 s; the rest of the build is the product's.
    const world = await WebhookWorld.start(['slow', 'hangs'], brokenEnvironment('short attempts'));
    const [slow, hangs] = ['slow', 'hangs'].map((name) => world.receivers.receivers.named(name));
    slow?.apply({ answer: { delayMs: 1_000 } });
    hangs?.apply({ answer: { hang: true } });
    const server = await world.serve();
    await world.test(server, 'slow');
    await world.test(server, 'hangs');
    await eventually(() => slow?.received.length === 1 && hangs?.received.length === 1);

    const startedMs = performance.now();
    server.process.signal('SIGTERM');
    const { code, stdout } = await server.process.ended();

    expect(code).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(30_000);
    expect(stdout).toMatch(/"msg":"stopping"[^]*"msg":"stopped"/);
    expect(await world.readDeliveries()).toEqual(
      expect.arrayContaining([
        { receiver: 'slow', status: 'succeeded', claim: null, attempts: [204] },
        { receiver: 'hangs', status: 'pending', claim: null, attempts: ['timed out'] },
      ]),
    );
  }, 60_000);

  it('begins no attempt any more', async () => {
    const world = await WebhookWorld.start(['slow', 'late']);
    const [slow, late] = ['slow', 'late'].map((name) => world.receivers.receivers.named(name));
    slow?.apply({ answer: { delayMs: 3_000 } });
    const server = await world.serve();
    await world.test(server, 'slow');
    await eventually(() => slow?.received.length === 1);

    server.process.signal('SIGTERM');
    await server.process.says(/"msg":"stopping"/);
    await world.publishNextDay();
    const { code } = await server.process.ended();
    const whileStopping = late?.received.length;
    await world.serve();
    await eventually(() => late?.received.length === 1);

    expect(code).toBe(0);
    expect(whileStopping).toBe(0);
  }, 60_000);
});

describe('DELIVERY=off (operator.md)', () => {
  it('makes a process that delivers nothing, beside one that does', async () => {
    const world = await WebhookWorld.start(['shop']);
    const { received } = world.receivers.receivers.named('shop');
    const silent = await world.serve({ DELIVERY: 'off' });
    await world.test(silent, 'shop');
    await wait(looksMs);
    const before = received.length;

    await world.serve();
    await eventually(async () => (await world.count(`status = 'succeeded'`)) === 1);
    await world.test(silent, 'shop');
    await eventually(async () => (await world.count(`status = 'succeeded'`)) === 2);

    expect(before).toBe(0);
    expect(received.map(({ verified }) => verified)).toEqual([true, true]);
  });
});

describe('SECRET_KEY (operator.md)', () => {
  it('is refused at the start when it is not the one in use, in a sentence', async () => {
    const world = await WebhookWorld.start(['shop']);

    const { code, stdout, stderr } = await runVatfx(['serve'], {
      ...world.env,
      SECRET_KEY: 'ab'.repeat(32),
    });

    expect(code).toBe(1);
    expect(stdout).not.toContain('"msg":"listening"');
    expect(stderr).toMatch(
      /^error: the signing secret of sub_[0-9a-f]+ cannot be decrypted: SECRET_KEY /,
    );
    expect(stderr).not.toContain('abab');
    expect(stderr).not.toContain('    at ');
  });

  it('is free to be any as long as there is no subscription', async () => {
    const world = await WebhookWorld.start([]);

    const { apiUrl } = await world.serve({ SECRET_KEY: 'ab'.repeat(32) });

    expect(apiUrl).toMatch(/^http:/);
  });
});

describe('vatfx demo (operator.md)', () => {
  it('shows a webhook that arrives, signed, to whoever types what it says', async () => {
    const process = startVatfx(['demo']);
    await process.says(/Ctrl-C ends it\./);
    const [, bearer = '', hooksUrl = '', wanted = ''] =
      /curl -H 'Authorization: (Bearer \S+)' '(\S+\/webhooks)' -d '(\{[^']+\})'/.exec(
        process.stdout,
      ) ?? [];
    const [, receiverUrl = '', told = ''] =
      /curl -X PUT (\S+) -d '(\{[^']+\})'/.exec(process.stdout) ?? [];
    const scripts = [...process.stdout.matchAll(/curl (\S+_scenario) -d '(\{.+\})'/g)];

    const created = await type(hooksUrl, { method: 'POST', body: wanted, bearer });
    const { secret } = JSON.parse(created) as { readonly secret: string };
    await type(receiverUrl, { method: 'PUT', body: told.replace('whsec_…', secret) });
    for (const [, url = '', body = ''] of scripts) await type(url, { method: 'POST', body });
    let received: readonly object[] = [];
    await eventually(async () => {
      const shown = await type(receiverUrl, { method: 'GET' });
      ({ received } = JSON.parse(shown) as { readonly received: readonly object[] });
      return received.length > 0;
    }, 20_000);

    const tomorrow = addDays(dateIn('Europe/Brussels', Date.now()), 1);
    expect(received).toMatchObject([
      { verified: true, body: { type: 'rates.changed', snapshotDate: tomorrow, count: 1 } },
    ]);
  }, 60_000);
});

/** What `curl` sends, and the text of the answer. */
async function type(
  url: string,
  typed: { readonly method: string; readonly body?: string; readonly bearer?: string },
): Promise<string> {
  const { method, body = null, bearer } = typed;
  const headers = {
    ...(body === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(bearer === undefined ? {} : { authorization: bearer }),
  };
  const response = await fetch(url, { method, body, headers });
  expect(response.ok).toBe(true);
  return response.text();
}
