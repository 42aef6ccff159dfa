import { expect, it } from 'vitest';
import type { LoggedEvent } from '../../client/src/index.ts';
import { clientOf } from '../client/support/client-of.ts';
import { findFreePort } from '../support/server-process.ts';
import { startService } from '../support/start-service.ts';

it('a loop over events continues after restarts of the service, with each event once (rule E7)', async () => {
  const service = await startService({ config: { port: await findFreePort() } });
  const vatfx = clientOf(service);
  const seen: LoggedEvent[] = [];
  const retries: string[] = [];
  const stopping = new AbortController();
  const { signal } = stopping;
  const onRetry = ({ name }: Error): void => void retries.push(name);
  const loop = (async () => {
    for await (const event of vatfx.events({ signal, onRetry })) seen.push(event);
  })();

  const checks = [];
  for (const reference of ['c 1', 'c 2', 'c 3']) {
    const check = { countryCode: 'AT', vatNumber: 'U99999901', reference };
    checks.push(await vatfx.checks.create(check));
    await expect.poll(() => seen.length, { timeout: 30_000 }).toBe(checks.length);
    const before = retries.length;
    await service.stop();
    await expect.poll(() => retries.length, { timeout: 30_000 }).toBeGreaterThan(before);
    await service.start();
  }
  checks.push(await vatfx.checks.create({ countryCode: 'AT', vatNumber: 'U99999901' }));
  await expect.poll(() => seen.length, { timeout: 60_000 }).toBe(checks.length);
  stopping.abort();
  await loop;

  expect(seen).toMatchObject(checks.map((check) => ({ type: 'vat.checked', check })));
  expect(new Set(retries)).toEqual(new Set(['NetworkError']));
}, 180_000);
