import { expect, it } from 'vitest';
import { decideHeld, holdSnapshot } from '../../src/platform/publication/held-store.ts';
import { eventually } from '../support/eventually.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { fxMoment } from './support/days.ts';
import { startBeside } from './support/start-beside.ts';

const thursday = '2026-11-19';
const friday = '2026-11-20';

async function statusOf(service: TestService, path: string): Promise<number> {
  return (await service.get(path)).status;
}

it('a replica answers the rates by law of a day that another one has published (legal-fx L4)', async () => {
  const one = await startService({ lived: [fxMoment(thursday)] });
  const other = await startBeside(one, { config: { jobs: false } });
  const paths = [`/fx/vat/${friday}`, `/fx/vat/${friday}T16:05:00%2B01:00`];
  for (const path of paths) expect(await statusOf(other, path)).toBe(404);

  await one.liveAt(fxMoment(friday));

  for (const path of paths) {
    await eventually(async () => (await statusOf(other, path)) === 200, 2_000);
    const [answer, expected] = [await other.get(path), await one.get(path)];
    expect(JSON.parse(answer.text)).toMatchObject({ date: friday });
    expect(answer.text).toBe(expected.text);
    expect(answer.headers['etag']).toBe(expected.headers['etag']);
  }
});

it('a publication that one replica holds makes a rate uncertain on all of them (legal-fx L4)', async () => {
  const one = await startService({ lived: [fxMoment(friday)] });
  const other = await startBeside(one, { config: { jobs: false } });
  const path = '/fx/vat/2026-11-22';
  const at = fxMoment(friday);
  expect([await statusOf(one, path), await statusOf(other, path)]).toEqual([200, 200]);
  const held = { version: '2026-11-21', reasons: [], candidate: '{}', inputDigest: '' };
  const inTransaction = one.core.db.transaction();

  const { id } = await inTransaction.execute(async (tx) =>
    holdSnapshot(tx, { kind: 'fx', heldAt: at, ...held }),
  );
  for (const service of [one, other]) {
    await eventually(async () => (await statusOf(service, path)) === 404, 2_000);
  }

  await inTransaction.execute(async (tx) => decideHeld(tx, { id, state: 'rejected', at }));
  for (const service of [one, other]) {
    await eventually(async () => (await statusOf(service, path)) === 200, 2_000);
  }
});
