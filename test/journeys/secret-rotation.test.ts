import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenEnvironment } from '../support/broken-environment.ts';
import { someOf } from '../support/proof.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { eventually } from '../support/eventually.ts';
import { runVatfxForJson, type Environment, runVatfx } from './support/run-vatfx.ts';
import { WebhookWorld } from './support/webhook-world.ts';

const names = ['quick', 'slow-1', 'slow-2', 'refuses'] as const;
const [first, second] = ['5e'.repeat(32), '7b'.repeat(32)];
/** With PostgreSQL the keys are configured; with SQLite they are in a file beside the database. */
const configured = (SECRET_KEY: string, SECRET_KEY_NEXT = ''): Environment =>
  isPostgresql ? { SECRET_KEY, SECRET_KEY_NEXT } : {};

type Rotated = { readonly kind: string; readonly secrets: number };

describe('secrets rotate beside a server that delivers (operator.md, SECRET_KEY)', () => {
  it('loses no delivery and signs each with the right secret, during and after', async () => {
    const world = await WebhookWorld.start(names);
    const both = configured(first, second);
    const server = await world.serve(both);
    answerSlowly(world);
    await world.publishNextDay();
    await eventually(async () => (await world.count('claim is not null')) > 0);

    const rotating = runVatfxForJson<Rotated>(['secrets', 'rotate'], { ...world.env, ...both });
    for (const name of names) await world.test(server, name);
    const rotated = await rotating;
    answerSlowly(world);
    await world.publishNextDay();
    await world.caller(server).subscribe(world.receivers, 'late');
    await world.publishNextDay();
    await untilDelivered(world);

    expect(rotated).toMatchObject({ kind: 'rotated', secrets: names.length });
    expect(await world.reckon()).toMatchObject({ lost: 0, phantom: 0, wrong: [] });
    expect(failures(await world.readDeliveries())).toEqual([]);

    await world.kill(server);
    await world.serve(configured(second));
    await world.publishNextDay();
    await untilDelivered(world);

    expect(await world.reckon()).toMatchObject({ lost: 0, phantom: 0, wrong: [] });
    expect(world.receivers.receivers.named('late').received.map((one) => one.verified)).toEqual([
      true,
      true,
    ]);
    expect(failures(await world.readDeliveries())).toEqual([]);
  });

  // Unit tests make the other states (src/platform/encryption/rotation.test.ts).
  const points = someOf(
    ['after the commit', 'before the commit', 'after the replacement', 'next key written'],
    1,
  );
  it(`works, restarts and can be rotated again after kill -9 at any point`, async () => {
    const world = await WebhookWorld.start(['shop']);
    const both = configured(first, second);
    const server = await world.serve(both);

    for (const point of isPostgresql ? ['before the commit'] : points) {
      const killed = await runVatfx(['secrets', 'rotate'], {
        ...world.env,
        ...both,
        ...brokenEnvironment(`killed: ${point}`),
      });
      await world.test(server, 'shop');
      await untilDelivered(world);
      await world.kill(await world.serve(both));
      await world.test(server, 'shop');
      await untilDelivered(world);

      expect([point, killed.code]).toEqual([point, null]);
      expect(await world.reckon()).toMatchObject({ lost: 0, wrong: [] });
    }
    const again = await runVatfxForJson<Rotated>(['secrets', 'rotate'], { ...world.env, ...both });
    await world.test(server, 'shop');
    await untilDelivered(world);

    expect(again).toMatchObject({ kind: 'rotated', secrets: 1 });
    expect(await world.reckon()).toMatchObject({ lost: 0, wrong: [] });
    expect(failures(await world.readDeliveries())).toEqual([]);
    expect(keyFilesOf(world)).toEqual(isPostgresql ? [] : ['vatfx.db.secret-key']);
  });
});

function answerSlowly({ receivers }: WebhookWorld): void {
  const slow = { delayMs: 300 };
  for (const name of ['slow-1', 'slow-2']) receivers.receivers.named(name).apply({ answer: slow });
  const answer = { status: 503, delayMs: 50, times: 1 };
  receivers.receivers.named('refuses').apply({ answer });
}

async function untilDelivered(world: WebhookWorld): Promise<void> {
  await eventually(async () => (await world.count(`status = 'pending'`)) === 0);
}

/** Attempts that failed for a reason other than the receiver's answer. */
function failures(deliveries: Awaited<ReturnType<WebhookWorld['readDeliveries']>>): unknown[] {
  return deliveries.flatMap(({ attempts }) => attempts.filter((one) => typeof one !== 'number'));
}

function keyFilesOf({ env }: WebhookWorld): string[] {
  if (isPostgresql) return [];
  const folder = dirname(env['DATABASE_URL']?.slice('file:'.length) ?? '');
  return readdirSync(folder).filter((name) => name.includes('secret-key'));
}
