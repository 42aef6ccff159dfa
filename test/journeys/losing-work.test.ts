import { describe, expect, it } from 'vitest';
import { unusedAddress } from '../support/loopback-server.ts';
import { reportFigure } from '../support/proof.ts';
import { eventually } from '../support/eventually.ts';
import { startToLose, timeUntil } from './support/losing-world.ts';
import { Names } from './support/names.ts';
import { runVatfx } from './support/run-vatfx.ts';
import { hasEngines, makeSchema, shareEngines } from './support/shared-engines.ts';
import { WebhookCaller } from './support/webhook-caller.ts';
import { localReceivers } from './support/webhook-service.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const engines = shareEngines();
const notWritten =
  'cannot write the requests charged to keys; they stay in memory and are written later';

describe.skipIf(!hasEngines)('work that waits while PostgreSQL is away (reliability R26)', () => {
  it('includes the job, which runs as soon as PostgreSQL is back', async () => {
    Names.use();
    const service = await startToLose(engines());
    await service.get('/rates');
    service.startJobs();

    await engines().postgresql.kill();
    setNow(service.scenario, '2026-11-23T16:00:00Z');
    await eventually(() => service.logLines.some((line) => line.includes('tick failed')));
    const during = await service.get('/rates');
    await engines().postgresql.restart();
    const backMs = await timeUntil(async () => {
      const answers = [await service.get('/rates'), await service.get('/fx')];
      return answers.every(({ text }) => text.includes('2026-11-23'));
    });

    reportFigure('R26', `missed publications were there ${backMs} ms after PostgreSQL was back`);
    expect(during.text).toContain('"version":"2026-11-20"');
    const runs = await service.core.runs.list(10);
    expect(runs.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  });

  it('includes the result of an attempt: the receiver gets one id, and the delivery ends', async () => {
    Names.use();
    const service = await startToLose(engines(), localReceivers);
    service.startDelivery();
    const caller = new WebhookCaller(service, service.key);
    const { id } = await caller.subscribe(service.sandbox, 'shop', { delayMs: 500 });
    const shop = service.sandbox.receivers.named('shop');

    await caller.post(`/${id}/test`, {});
    await eventually(() => shop.received.length > 0);
    await engines().postgresql.kill();
    await eventually(() => service.logLines.some((line) => line.includes('not written yet')));
    await engines().postgresql.restart();
    await timeUntil(async () => {
      const [delivery] = await caller.listDeliveries(id).catch(() => []);
      return delivery?.status === 'succeeded';
    });

    expect(new Set(shop.received.map((one) => one.id)).size).toBe(1);
  });

  it('includes the use of keys, which is counted, and written when PostgreSQL is back', async () => {
    Names.use();
    const service = await startToLose(engines(), { redisUrl: '' });
    const usedBefore = await readUsed(service);

    await engines().postgresql.kill();
    for (let n = 0; n < 7; n += 1) await service.get('/rates');
    await eventually(() => service.logLines.some((line) => line.includes(notWritten)));
    await engines().postgresql.restart();
    await timeUntil(async () => (await service.sendToOps('/ready')).text.includes('"ready"'));
    await service.restart();

    expect(await readUsed(service)).toBe(usedBefore + 7);
  });
});

describe.skipIf(!hasEngines)('a process that starts without its engines (reliability R26)', () => {
  it.each([
    ['serve', 'refused'],
    ['keys list', 'held'],
  ])('%s ends with 1 and prints the reason: PostgreSQL %s', async (command, how) => {
    const { postgresql } = engines();
    const url =
      how === 'held'
        ? makeSchema(postgresql)
        : (await unusedAddress()).replace('http', 'postgres').concat('/vatfx');
    const env = { DATABASE_URL: url, SECRET_KEY: '5e'.repeat(32), PORT: '0', OPS_PORT: '0' };

    if (how === 'held') postgresql.pause();
    const ended = await runVatfx(command.split(' '), env).finally(() => postgresql.resume());

    expect(ended.code).toBe(1);
    expect(ended.stderr + ended.stdout).toContain('database: PostgreSQL cannot be used now');
    expect(ended.stderr).not.toContain('    at ');
  });
});

async function readUsed(service: {
  get(path: string): Promise<{ readonly text: string }>;
}): Promise<number> {
  const { text } = await service.get('/usage');
  return (JSON.parse(text) as { readonly quota: { readonly used: number } }).quota.used;
}
