import { describe, expect, it } from 'vitest';
import { eventually } from '../journeys/support/eventually.ts';
import { askVatfx, type Environment, runVatfx } from '../journeys/support/run-vatfx.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { startService, type TestService } from '../support/start-service.ts';

type Created = {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
};

describe('keys create (operator.md, contract C25)', () => {
  it('prints the key once, and keeps only a hash of it', async () => {
    const service = await startService();

    const { code, stdout } = await runVatfx(
      ['keys', 'create', '--name', ' Shop GmbH '],
      operator(service),
    );

    expect(code).toBe(0);
    const [key = '', empty, told] = stdout.split('\n');
    expect(key).toMatch(/^vfx_[0-9A-Za-z]{49}$/);
    expect(empty).toBe('');
    expect(told).toMatch(/^This is key_[0-9a-f]{16} for Shop GmbH\. The key is shown this once/);
    const rows = await service.core.db.selectFrom('api_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(key.slice(4, 40));
    const list = await runVatfx(['keys', 'list', '--json'], operator(service));
    expect(list.stdout).not.toContain(key.slice(4, 40));
  });

  it('makes a key that works at once on a running server', async () => {
    const service = await startService();

    const { key } = await create(service);
    const answer = await service.get('/rates', { authorization: `Bearer ${key}` });

    expect(answer.status).toBe(404);
  });

  it('lets a key work through the end of its last day, UTC', async () => {
    const service = await startService();
    const { key, expiresAt } = await create(service, '--expires', '2099-12-30');

    expect(expiresAt).toBe('2099-12-31T00:00:00.000Z');
    expect(await statusAt(service, { key, moment: '2099-12-30T23:59:59.999Z' })).toBe(404);
    expect(await statusAt(service, { key, moment: '2099-12-31T00:00:00.000Z' })).toBe(401);
  });
});

describe('keys list (operator.md)', () => {
  it('shows every key, the oldest first, without the keys', async () => {
    const { env } = await startUpstreams();
    const none = await runVatfx(['keys', 'list'], env);
    const one = await askVatfx<Created>(['keys', 'create', '--name', 'one'], env);
    const other = await askVatfx<Created>(['keys', 'create', '--name', 'other'], env);
    await askVatfx(['keys', 'revoke', one.id], env);

    const table = await runVatfx(['keys', 'list'], env);

    expect(none.stdout).toBe('There are no keys yet; "keys create --name N" makes one.\n');
    const [titles, ...rows] = table.stdout.trim().split('\n');
    expect(titles?.split(/ {2,}/)).toEqual(['id', 'name', 'status', 'created', 'expires']);
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      [one.id, 'one', 'revoked', one.createdAt, '-'],
      [other.id, 'other', 'active', other.createdAt, '-'],
    ]);
  });
});

describe('keys revoke (operator.md, contract C25)', () => {
  it('ends a key within 5 s on a running server', async () => {
    const service = await startService();
    const { key, id } = await create(service);
    const authorization = `Bearer ${key}`;
    const before = await service.get('/rates', { authorization });

    const revoked = await askVatfx(['keys', 'revoke', id], operator(service));
    await eventually(
      async () => (await service.get('/rates', { authorization })).status === 401,
      5_000,
    );

    expect(before.status).toBe(404);
    expect(revoked).toEqual({ id, status: 'revoked' });
  });

  it('keeps the first instant when it is done twice', async () => {
    const service = await startService();
    const { id } = await create(service);
    const readInstant = async (): Promise<unknown> =>
      service.core.db
        .selectFrom('api_keys')
        .select('revoked_at')
        .where('id', '=', id)
        .executeTakeFirst();

    await askVatfx(['keys', 'revoke', id], operator(service));
    const first = await readInstant();
    const again = await runVatfx(['keys', 'revoke', id], operator(service));

    expect(again).toEqual({ code: 0, stdout: `${id} is revoked\n`, stderr: '' });
    expect(await readInstant()).toEqual(first);
  });
});

async function create(service: TestService, ...options: readonly string[]): Promise<Created> {
  return askVatfx<Created>(['keys', 'create', '--name', 'N', ...options], operator(service));
}

async function statusAt(
  service: TestService,
  asked: { readonly key: string; readonly moment: string },
): Promise<number> {
  service.scenario.setNow(asked.moment);
  return (await service.get('/rates', { authorization: `Bearer ${asked.key}` })).status;
}

function operator({ config }: TestService): Environment {
  return { DATABASE_URL: config.databaseUrl };
}
