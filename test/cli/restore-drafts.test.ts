import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { runCommand } from '../support/run-cli.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { openBackedUp } from './support/restore-world.ts';

/** The findings of doctor about copies beside the database. Its upstreams are a port on which no program listens. */
async function findCopies(env: object): Promise<readonly Finding[]> {
  const nowhere = 'http://127.0.0.1:9/';
  const upstreams = { TEDB_URL: nowhere, ECB_URL: nowhere, VIES_URL: nowhere };
  const { stdout } = await runCommand(['doctor', '--json'], { ...env, ...upstreams });
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return findings.filter(({ check }) => check === 'copies');
}

describe.skipIf(isPostgresql)('drafts of a restore', () => {
  it('removes the drafts of a killed restore, which doctor names, and no draft of a running one', async () => {
    const { file, backup, env } = await openBackedUp();
    const { pid: ended } = spawnSync('true');
    const left = [
      `${file}.restore-0123abcd`,
      `${file}.restore-${ended}-0123abcd`,
      `${file}.restore-${ended}-0123abcd-wal`,
      `${file}.secret-key.restore-${process.pid}-0123abcd`,
    ];
    const others = [`${file}.restore-${process.ppid}-0123abcd`, `${file}.restore-notes`];
    for (const name of [...left, ...others]) writeFileSync(name, 'personal data');

    const warned = await findCopies(env);
    const { code, stderr } = await runCommand(['restore', backup], env);

    expect(warned).toHaveLength(1);
    expect(warned[0]).toMatchObject({ state: 'warning' });
    for (const name of [...left, others[0]]) expect(warned[0]?.found).toContain(name);
    expect(code).toBe(0);
    expect(stderr).toBe(`removed the drafts of a restore that was killed: ${left.join(', ')}\n`);
    expect([...left, ...others].filter((name) => existsSync(name))).toEqual(others);
    const [before] = readdirSync(dirname(file)).filter((name) => name.includes('before-restore'));
    const [, named] = await findCopies(env);
    expect(named).toMatchObject({ state: 'ok', found: expect.stringContaining(String(before)) });
  });
});
