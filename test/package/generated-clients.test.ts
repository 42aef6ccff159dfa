import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isFull } from '../support/proof.ts';
import { shareService } from '../support/start-service.ts';
import { generators, readWith } from './support/generated-clients.ts';

/** A full run of the promises tries each generator, a commit the first. */
const tried = Object.entries(generators).slice(0, isFull ? undefined : 1);

describe('a client that is generated from openapi.json', () => {
  const service = shareService({ lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'] });

  it.each(tried)('by %s compiles strictly and reads from the service', async (_name, generator) => {
    const folder = mkdtempSync(join(tmpdir(), 'vatfx-generated-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { apiUrl, key } = service();

    const read = await readWith(generator, { folder, url: apiUrl, key });

    expect(read).toEqual({
      standard: 27,
      currencies: ['USD', 'GBP'],
      isValid: true,
      subscription: expect.stringMatching(/^sub_/) as string,
      error: 'snapshot not found',
    });
  });
});
