import { execFile } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isFull, reportFigure } from '../support/proof.ts';
import {
  findInstallScripts,
  findOpen,
  findOthers,
  type Locked,
  type Lockfile,
  packagesFor,
  readLockfile,
} from './support/lockfile.ts';
import { environment } from './support/packed.ts';

describe('the installed packages (reliability R28)', () => {
  it('are locked by content, have no install scripts, and are those that the tests use', () => {
    const lockfile = readLockfile();
    const [ours, developers] = [
      packagesFor(lockfile, 'service'),
      packagesFor(lockfile, 'developers'),
    ];

    const open = findOpen(lockfile);
    const scripts = findInstallScripts(lockfile);

    reportFigure(
      'R28',
      `${ours.length} packages of the service and ${developers.length} of its developers in the lockfile, ` +
        `${open.length} without SHA-512 or not as wanted; ${scripts.length} of the service's run ` +
        'something when installed',
    );
    expect(lockfile.lockfileVersion).toBe(3);
    expect(ours.length).toBeGreaterThan(0);
    expect(open).toEqual([]);
    expect(scripts).toEqual([]);
    expect(findOthers(lockfile, ours)).toEqual([]);
  });

  const broken: readonly (readonly [what: string, locked: Locked, found: readonly string[]])[] = [
    ['a package without integrity', { integrity: '' }, ['node_modules/pg has no SHA-512']],
    ['a weaker digest', { integrity: 'sha1-xyz' }, ['node_modules/pg has no SHA-512']],
    ['an install script', { hasInstallScript: true }, ['node_modules/pg']],
    ['another version than is installed', { version: '0.0.1' }, ['node_modules/pg']],
  ];

  it.each(broken)('fail this check if they are changed: %s', (_what, locked, found) => {
    const lockfile = withChanged('node_modules/pg', locked);

    const others = findOthers(lockfile, packagesFor(lockfile, 'service'));
    expect([...findOpen(lockfile), ...findInstallScripts(lockfile), ...others]).toEqual(found);
  });

  it('fail this check if package.json has another range', () => {
    const lockfile = withChanged('', { dependencies: {}, devDependencies: {} });

    expect(findOpen(lockfile)).toContainEqual(
      expect.stringContaining('pg is locked for undefined'),
    );
  });

  // A newly published vulnerability must not fail an unrelated commit.
  it.skipIf(!isFull)('has no known vulnerabilities (npm audit)', async (context) => {
    const audit = await requestAudit();

    if (audit.kind === 'not possible') {
      reportFigure('R28', `an audit is not possible here: ${audit.why}`);
      return context.skip(audit.why);
    }
    reportFigure('R28', `${audit.count} known vulnerabilities in the packages of the service`);
    expect(audit.count).toBe(0);
  });
});

function withChanged(folder: string, locked: Locked): Lockfile {
  const lockfile = readLockfile();
  const changed = { ...lockfile.packages[folder], ...locked };
  return { ...lockfile, packages: { ...lockfile.packages, [folder]: changed } };
}

type Audit =
  | { readonly kind: 'done'; readonly count: number }
  | { readonly kind: 'not possible'; readonly why: string };

async function requestAudit(): Promise<Audit> {
  const args = ['audit', '--omit=dev', '--json'];
  // npm audit also ends with an error if it finds a vulnerability.
  const said = await new Promise<string>((resolve) => {
    execFile(
      'npm',
      args,
      { env: { ...process.env, ...environment }, timeout: 60_000 },
      (_error, stdout) => resolve(stdout),
    );
  });
  const found = (said === '' ? {} : JSON.parse(said)) as {
    readonly statusCode?: number;
    readonly metadata?: { readonly vulnerabilities?: { readonly total: number } };
  };
  const count = found.metadata?.vulnerabilities?.total;
  if (count !== undefined) return { kind: 'done', count };
  const why =
    found.statusCode === undefined
      ? 'the registry cannot be reached'
      : `the registry answers with ${found.statusCode}`;
  return { kind: 'not possible', why };
}
