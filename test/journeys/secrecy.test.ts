import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formatApiKey } from '../../src/access/authentication/api-key.ts';
import { createKey, revokeKey, rotateKey } from '../../src/access/authentication/key-changes.ts';
import type { Answer } from '../support/send-request.ts';
import { countOf } from '../support/proof.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { readAll } from '../support/raw-requests.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { readStoredBytes } from '../support/stored-bytes.ts';
import { databaseSettings } from '../support/temporary-database.ts';
import { Canaries } from './support/canaries.ts';
import { canaryRequest } from './support/canary-requests.ts';
import { type Finished, runVatfx } from './support/run-vatfx.ts';
import { readBackup, SecrecySearch } from './support/secrecy-search.ts';

/** Counts of requests: to a service that works, and to one whose parts fail. */
const requests = countOf({ full: 15_000, perCommit: 1_000 });
const failingRequests = countOf({ full: 5_000, perCommit: 300 });
const friday = '2026-11-20T16:00:00Z';
/** Failed authentication has no limit here; otherwise most answers would be 429. */
const config = { failedAuthPerMinute: 'none', corsOrigins: ['https://shop.example'] } as const;

describe('keys and secrets (contract C25, reliability R20)', () => {
  it('are in no log, metric, status, answer or file, wherever a caller puts them', async () => {
    const service = await startService({ config, lived: [friday] });
    const canaries = await makeCanaries(service);

    const answers = await sendAll(service, canaries);
    const search = await searchAll(service, { canaries, answers });
    search.search('backup', [await readBackup(service.config.databaseUrl)]);

    search.tell(`${answers.length} requests`);
    expect(answers).toHaveLength(requests);
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set([200, 400, 401, 404, 405, 414, 417, 422]),
    );
    expect(service.logLines.length).toBeGreaterThan(requests * 0.9);
    expect(search.traces).toEqual([]);
  });

  it('are in none of them if parts of the service fail', async () => {
    const service = await startService({ config, lived: [friday] });
    const canaries = await makeCanaries(service);
    const { db } = service.core;

    await db.schema.dropTable('rate_changes').execute();
    await db.schema.dropTable('key_use').execute();
    await db.schema.dropTable('key_secrets').execute();
    const broken = await sendAll(service, canaries, failingRequests / 2);
    await db.destroy();
    const gone = await sendAll(service, canaries, failingRequests / 2);

    const answers = [...broken, ...gone];
    const search = await searchAll(service, { canaries, answers });
    const failures = answers.filter(({ status }) => status === 500).length;
    search.tell(`${answers.length} requests, ${failures} of them with forced exceptions`);
    expect(failures).toBeGreaterThan(10);
    expect(service.logLines.join('')).toMatch(
      /no such table: key_secrets|relation \\"key_secrets\\" does not exist/,
    );
    expect(service.logLines.join('')).toContain('driver has already been destroyed');
    expect(search.traces).toEqual([]);
  });

  it.each([
    ['as the method', '{canary} /rates HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'as the coding',
      'POST /rates HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, {canary}\r\n\r\n',
    ],
    ['as the host of a tunnel', 'CONNECT {canary}:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['instead of HTTP', '{canary}\r\n\r\n'],
    ['in a head that is too long', `GET /${'{canary}'.repeat(400)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])('are in none of them if the request is malformed: %s', async (_what, bytes) => {
    const service = await startService({ config });
    const canaries = await makeCanaries(service);
    const connection = await RawConnection.open(service.apiUrl);

    connection.send(bytes.replaceAll('{canary}', canaries.all[0] ?? ''));
    const [refusal] = await readAll(connection);

    const answer = JSON.stringify([refusal?.text, ...(refusal?.headers ?? [])]);
    expect(refusal?.status).toBeGreaterThanOrEqual(400);
    expect(canaries.tracesIn(answer)).toEqual([]);
    expect(await tracesIn(service, { canaries, answers: [] })).toEqual([]);
  });

  it('are not logged as the address of a client, even if a proxy passes them on', async () => {
    const trusting = { ...config, failedAuthPerMinute: 1, trustedProxies: ['127.0.0.1'] };
    const service = await startService({ config: trusting });
    const canaries = await makeCanaries(service);
    const [canary = ''] = canaries.all;

    const sendRequest = async (): Promise<Answer> =>
      service.sendRequest({ path: '/rates', headers: { 'x-forwarded-for': canary } });
    const answers = [await sendRequest(), await sendRequest()];

    expect(answers.map(({ status }) => status)).toEqual([401, 429]);
    expect(await tracesIn(service, { canaries, answers })).toEqual([]);
  });
});

describe('the keys commands (contract C25, reliability R20)', () => {
  const secretCommands = [
    ['create', ['create', '--name', 'N']],
    ['rotate --json', ['rotate', '{id}', '--json']],
  ] as const;

  it.each(secretCommands)('show a key exactly once and store it nowhere: %s', async (_, args) => {
    const service = await startService({ config });
    const { id } = await createKey(service.core.db, { name: 'one', at: friday });

    const shown = await runKeys(service, args, id);
    const [key = '', ...more] = shown.stdout.match(/vfx_[0-9A-Za-z]{49}/g) ?? [];
    const answer = await service.get('/rates', { authorization: `Bearer ${key}` });

    expect(more).toEqual([]);
    expect(answer.status).toBe(404);
    const canaries = new Canaries([key]);
    expect(canaries.tracesIn(shown.stdout.replace(key, ''))).toEqual([]);
    expect(canaries.tracesIn(shown.stderr)).toEqual([]);
    expect(await tracesIn(service, { canaries, answers: [answer] })).toEqual([]);
  });

  it.each([
    ['list --json', ['list', '--json']],
    ['change', ['change', '{id}', '--quota', '5', '--json']],
    ['revoke', ['revoke', '{id}', '--json']],
  ])('show no part of a key or of its hash later: %s', async (_command, args) => {
    const service = await startService({ config });
    const { db } = service.core;
    const { id, key } = await createKey(db, { name: 'one', at: friday });
    const [secret] = await db
      .selectFrom('key_secrets')
      .selectAll()
      .where('key_id', '=', id)
      .execute();

    const { code, stdout, stderr } = await runKeys(service, args, id);

    expect(code).toBe(0);
    expect(new Canaries([key, secret?.secret_hash ?? '']).tracesIn(stdout + stderr)).toEqual([]);
  });
});

/** Valid keys, ended keys, unknown keys, texts that are almost keys, and secrets of other kinds. */
async function makeCanaries(service: TestService): Promise<Canaries> {
  const { db } = service.core;
  const at = '2026-11-20T12:00:00.000Z';
  const limits = { rateLimit: 'none', quota: 'none' } as const;
  const good = await createKey(db, { name: 'good', ...limits, at });
  const expired = await createKey(db, { name: 'expired', expiresAt: at, at });
  const revoked = await createKey(db, { name: 'revoked', at });
  await revokeKey(db, revoked.id, { at });
  const rotated = await createKey(db, { name: 'rotated', at });
  const next = await rotateKey(db, rotated.id, { overlapEndsAt: at, at });
  const unknown = formatApiKey(randomBytes(32));
  return new Canaries([
    good.key,
    expired.key,
    revoked.key,
    rotated.key,
    'key' in next ? next.key : '',
    service.key,
    unknown,
    unknown.slice(0, -1),
    `${unknown.slice(0, -1)}~`,
    unknown.slice(4),
    btoa(`:${good.key}`),
    randomBytes(32).toString('hex'),
    `whsec_${randomBytes(24).toString('base64url')}`,
  ]);
}

/** Sends canaries in every place of a request, a few requests at a time. */
async function sendAll(
  service: TestService,
  canaries: Canaries,
  count = requests,
): Promise<readonly Answer[]> {
  const parts = { canaries: canaries.all, bearer: `Bearer ${service.key}` };
  const answers: Answer[] = [];
  let n = 0;
  const sendOn = async (): Promise<void> => {
    for (let next = n++; next < count; next = n++) {
      answers.push(await service.sendRequest(canaryRequest(next, parts)));
    }
  };
  await Promise.all(Array.from({ length: 8 }, sendOn));
  return answers;
}

/** Searches answers, log, metrics, status, and every stored byte. */
async function searchAll(
  service: TestService,
  { canaries, answers }: { readonly canaries: Canaries; readonly answers: readonly Answer[] },
): Promise<SecrecySearch> {
  const search = new SecrecySearch(canaries);
  const print = ({ headers }: Answer): string => JSON.stringify(headers);
  search.search('answers', answers.map(textOf));
  search.search('heads of answers', answers.map(print));
  search.search('log lines', service.logLines);
  const ops = [await service.sendToOps('/metrics'), await service.sendToOps('/status')];
  search.search('pages of metrics and status', [...ops.map(textOf), ...ops.map(print)]);
  search.search('database files', await readStoredBytes(service.config.databaseUrl));
  return search;
}

async function tracesIn(...searched: Parameters<typeof searchAll>): Promise<readonly string[]> {
  return (await searchAll(...searched)).traces;
}

function textOf({ text }: Answer): string {
  return text;
}

async function runKeys(
  service: TestService,
  args: readonly string[],
  id: string,
): Promise<Finished> {
  const env = { ...databaseSettings(service.config.databaseUrl), LOG_LEVEL: 'debug' };
  return runVatfx(['keys', ...args.map((arg) => arg.replace('{id}', id))], env);
}
