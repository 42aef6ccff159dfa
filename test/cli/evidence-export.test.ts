import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listEvidenceKeys } from '../../src/vat-check/stored/evidence/evidence-keys.ts';
import { verifyEvidence } from '../../src/vat-check/stored/evidence/verify.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { startService } from '../support/start-service.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { austrian, postCheck, sendToChecks } from '../vat-check/support/stored-checks-api.ts';
import { openKeyDatabase, settingsBeside } from './support/key-commands.ts';

/** A service with an answered, a rejected and a pending check, and a folder that does not exist yet. */
async function prepare() {
  const service = await startService();
  const answered = await postCheck(service);
  const rejected = await postCheck(service, { countryCode: 'AT', vatNumber: '201' });
  await postCheck(service, { countryCode: 'IE', vatNumber: '301' });
  const out = join(temporaryFolder(), 'exports', 'evidence');
  const env = settingsBeside(service);
  const args = ['evidence', 'export', '--since', '2026-11-20', '--out', out];
  const ids = [answered.check.id, rejected.check.id];
  return { service, out, env, args, ids, files: ids.map((id) => `${id}.json`) };
}

describe('evidence export --since --out (rule K16)', () => {
  it('writes one file per ended check, which holds and is that of the API', async () => {
    const { service, out, env, args, ids, files } = await prepare();

    const { code, stdout } = await runCommand(args, env);

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `2 files written to ${out}, 0 were there already; 1 checks are still pending and have none yet\n`,
    });
    expect(readdirSync(out).toSorted()).toEqual(files.toSorted());
    for (const id of ids) {
      const bytes = readFileSync(join(out, `${id}.json`));
      expect((await verifyEvidence(bytes)).faults).toEqual([]);
      const { text } = await sendToChecks(service, 'GET', `/${id}/evidence`);
      expect(bytes.toString()).toBe(`${text}\n`);
      expect(statSync(join(out, `${id}.json`)).mode & 0o777).toBe(0o600);
    }
    expect(statSync(out).mode & 0o777).toBe(0o700);
  });

  it('continues an export with checks that have ended meanwhile, and replaces no file with other bytes', async () => {
    const { service, out, env, args, files } = await prepare();
    await runForJson(args, env);
    const { check } = await postCheck(service, { ...austrian, reference: 'later' });

    const again = await runForJson(args, env);
    const changed = join(out, files[0] ?? '');
    writeFileSync(changed, 'mine');
    const { code, stderr } = await runCommand(args, env);

    expect(again).toMatchObject({ written: 1, same: 2, differing: [], pending: 1 });
    expect(readdirSync(out)).toContain(`${check.id}.json`);
    expect(code).toBe(1);
    expect(stderr).toContain(`were not replaced: ${files[0]}`);
    expect(readFileSync(changed, 'utf8')).toBe('mine');
  });
});

describe('evidence rotate (rule K15)', () => {
  it('creates a key, ends it the next time, and says so', async () => {
    const { db, env } = await openKeyDatabase();

    const first = await runCommand(['evidence', 'rotate'], env);
    const second = await runCommand(['evidence', 'rotate'], env);

    const [now, before] = await listEvidenceKeys(db);
    const sentence = 'Evidence is now signed with the key';
    const stdout = `${sentence} ${before?.kid}.\nThere was no key before.\n`;
    expect(first).toEqual({ code: 0, stdout, stderr: '' });
    expect(second.stdout).toBe(
      `${sentence} ${now?.kid}.\nThe key before, ${before?.kid}, stays published, so that ` +
        'earlier evidence still holds.\n',
    );
  });
});
