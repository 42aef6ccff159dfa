import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPublishedKeys } from '../../src/vat-check/stored/evidence/published-keys.ts';
import { verifyEvidence } from '../../src/vat-check/stored/evidence/verify.ts';
import { type Environment, runForJson } from '../support/run-cli.ts';
import { startService } from '../support/start-service.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';
import { austrian, postCheck, requester } from '../vat-check/support/stored-checks-api.ts';
import { settingsBeside } from './support/key-commands.ts';

/** Exports the evidence of a database; returns its files by name. */
async function exportFrom(env: Environment): Promise<Readonly<Record<string, Buffer>>> {
  const out = join(temporaryFolder(), 'evidence');
  await runForJson(['evidence', 'export', '--since', '2026-11-20', '--out', out], env);
  return Object.fromEntries(
    readdirSync(out).map((name) => [name, readFileSync(join(out, name))] as const),
  );
}

describe.skipIf(isPostgresql)('a backup (rule K16)', () => {
  it('has the evidence of checks, which holds with the keys that the service published', async () => {
    const service = await startService();
    await postCheck(service, { ...austrian, requester });
    await runForJson(['evidence', 'rotate'], settingsBeside(service));
    await postCheck(service);
    const { text } = await service.sendRequest({ path: '/evidence/keys' });
    const published = readPublishedKeys(Buffer.from(text));
    const before = await exportFrom(settingsBeside(service));
    const backup = join(temporaryFolder(), 'backup.db');
    await runForJson(['backup', backup], settingsBeside(service));
    await service.stop();
    const restored = { DATABASE_URL: `file:${join(temporaryFolder(), 'vatfx.db')}` };

    await runForJson(['restore', backup], restored);

    const after = await exportFrom(restored);
    expect(after).toEqual(before);
    expect(published).toHaveLength(2);
    expect(Object.keys(after)).toHaveLength(2);
    for (const file of Object.values(after)) {
      expect((await verifyEvidence(file, published)).faults).toEqual([]);
    }
  });
});
