import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPublishedKeys } from '../../src/vat-check/stored/evidence/published-keys.ts';
import { verifyEvidence } from '../../src/vat-check/stored/evidence/verify.ts';
import { startService } from '../support/start-service.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { austrian, postCheck, requester } from '../vat-check/support/stored-checks-api.ts';
import { createEmptyTarget, openSource, runCopy } from './support/copy-world.ts';

describe.skipIf(!isPostgresql)('a copy in PostgreSQL', () => {
  it('keeps the evidence of stored checks byte for byte, and its published keys (rule K16)', async () => {
    const { url, file } = await openSource();
    const service = await startService({ config: { databaseUrl: url, secretKey: '' } });
    const { check } = await postCheck(service, { ...austrian, requester });
    const paths = [`/vatchecks/${check.id}/evidence`, '/evidence/keys'];
    const before = await Promise.all(paths.map(async (path) => (await service.get(path)).text));
    await service.stop();
    const target = createEmptyTarget();
    await runCopy(url, target);
    const secretKey = readFileSync(`${file}.secret-key`, 'utf8').trim();

    const moved = await startService({ config: { databaseUrl: target, secretKey } });

    const headers = { authorization: `Bearer ${service.key}` };
    const after = await Promise.all(
      paths.map(async (path) => (await moved.get(path, headers)).text),
    );
    expect(after).toEqual(before);
    const [evidence = '', keys = ''] = after;
    const published = readPublishedKeys(Buffer.from(keys));
    expect((await verifyEvidence(Buffer.from(evidence), published)).faults).toEqual([]);
  });
});
