import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fastify } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { addReferenceRoutes } from './reference-routes.ts';

it.each(['/docs', '/openapi.json'])('%s is read again after a read that failed', async (url) => {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-reference-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'openapi.json');
  const app = fastify();
  onTestFinished(async () => app.close());
  addReferenceRoutes(app, pathToFileURL(file));
  const statusOf = async (): Promise<number> => (await app.inject({ url })).statusCode;

  const before = [await statusOf(), await statusOf()];
  copyFileSync(new URL('../../../openapi.json', import.meta.url), file);
  const after = await statusOf();

  expect([...before, after]).toEqual([500, 500, 200]);
});
