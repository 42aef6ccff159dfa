import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { openFolder } from '../../assets.ts';
import { addReferenceRoutes } from './reference-routes.ts';

it.each(['/docs', '/openapi.json'])('%s reads its file again after a failed read', async (url) => {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-reference-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const app = fastify();
  onTestFinished(async () => app.close());
  addReferenceRoutes(app, { publicUrl: '', from: openFolder(folder) });
  const statusOf = async (): Promise<number> => (await app.inject({ url })).statusCode;

  const before = [await statusOf(), await statusOf()];
  for (const file of ['openapi.json', 'reference.html']) copyFileSync(file, join(folder, file));
  const after = await statusOf();

  expect([...before, after]).toEqual([500, 500, 200]);
});
