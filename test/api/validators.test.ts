import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import type { Scenario } from '../../src/sandbox/scenario/scenario.ts';
import { shareService, startService } from '../support/start-service.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

const thursday = '2026-11-19T16:00:00Z';
const friday = '2026-11-20T16:00:00Z';

function script(scenario: Scenario): void {
  changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-20');
}

const latest = 'public, max-age=3600, stale-while-revalidate=86400';
const changes = 'public, max-age=300, stale-while-revalidate=86400';
const immutable = 'public, max-age=31536000, immutable';

/** Every kind of answer that has a validator, with its policy. */
const answers: [path: string, cacheControl: string][] = [
  ['/rates', latest],
  ['/rates/2026-11-19', immutable],
  ['/changes', changes],
  ['/changes?country=hu&limit=1', changes],
  ['/changes/2026-11-20', immutable],
  ['/changes/2026-11-21', changes],
  ['/fx', latest],
  ['/fx/2026-11-19', immutable],
];

describe('the ETag of a 200 (contract C9)', () => {
  const service = shareService({ script, lived: [thursday, friday] });

  it.each(answers)('is strong on %s, and the same for every caller', async (path) => {
    const at = '2026-11-20T12:00:00.000Z';
    const other = await createKey(service().core.db, { name: 'other', expiresAt: null, at });

    const mine = await service().get(path);
    const theirs = await service().get(path, {
      authorization: `Bearer ${other.key}`,
      'accept-language': 'hu',
      'user-agent': 'another/1.0',
    });

    expect(mine.status).toBe(200);
    expect(mine.headers['etag']).toMatch(/^"[\w-]{20,}"$/);
    expect([theirs.text, theirs.headers['etag']]).toEqual([mine.text, mine.headers['etag']]);
  });

  it('differs if the bytes differ', async () => {
    const bodies = await Promise.all(answers.map(async ([path]) => service().get(path)));

    const etags = new Set(bodies.map(({ headers }) => headers['etag']));
    expect(etags.size).toBe(new Set(bodies.map(({ text }) => text)).size);
  });

  it('is the same in another installation with the same data, also after a restart', async () => {
    const other = await startService({ script, lived: [thursday, friday] });
    const read = async (from: { get: typeof other.get }): Promise<unknown[]> =>
      Promise.all(answers.map(async ([path]) => (await from.get(path)).headers['etag']));
    const ours = await read(service());
    const theirs = await read(other);

    await other.restart();

    expect(theirs).toEqual(ours);
    expect(await read(other)).toEqual(ours);
  });

  it('of /changes is another one after rows are added', async () => {
    const growing = await startService({ script, lived: [thursday] });
    const before = await growing.get('/changes');

    await growing.liveAt(friday);
    const etag = String(before.headers['etag']);
    const after = await growing.get('/changes', { 'if-none-match': etag });

    expect(after.status).toBe(200);
    expect(after.headers['etag']).not.toBe(etag);
  });
});

describe('a 304 (contract C9)', () => {
  const service = shareService({ script, lived: [thursday, friday] });

  it.each(answers)('of %s has the ETag and the policy of the 200: %s', async (path, policy) => {
    const { headers: full } = await service().get(path);
    const etag = String(full['etag']);

    const { status, headers, text } = await service().get(path, { 'if-none-match': etag });

    expect([status, text]).toEqual([304, '']);
    expect([full['cache-control'], headers['cache-control'], headers['etag']]).toEqual([
      policy,
      policy,
      etag,
    ]);
    expect(headers['x-request-id']).toMatch(/./);
    expect(headers).not.toHaveProperty('content-type');
  });

  it.each<[string, (etag: string) => string | readonly string[]]>([
    ['the tag', (etag) => etag],
    ['the tag in its weak form', (etag) => `W/${etag}`],
    ['a list with the tag first', (etag) => `${etag}, "other"`],
    ['a list with the tag last', (etag) => `"other", W/"another", ${etag}`],
    ['a list with the weak form', (etag) => `"other",W/${etag}`],
    ['a list without blanks', (etag) => `"a","b",${etag},"c"`],
    ['a list with empty elements', (etag) => `,, ${etag} ,,`],
    ['a list with a tag that has a comma', (etag) => `"a,b", ${etag}`],
    ['two headers', (etag) => ['"other"', etag]],
    ['the tag with -gzip behind it, as Apache appends', (etag) => `${etag.slice(0, -1)}-gzip"`],
    ['the tag with --gzip', (etag) => `${etag.slice(0, -1)}--gzip"`],
    ['the tag with ;gzip', (etag) => `${etag.slice(0, -1)};gzip"`],
    ['a list with the weak form and -br', (etag) => `"other", W/${etag.slice(0, -1)}-br"`],
    ['the tag with -df', (etag) => `${etag.slice(0, -1)}-df"`],
    ['a star', () => '*'],
    ['a star between blanks', () => ' * '],
  ])('is sent for an If-None-Match with %s', async (_what, print) => {
    const { headers } = await service().get('/rates');

    const answer = await service().get('/rates', {
      'if-none-match': print(String(headers['etag'])),
    });

    expect(answer.status).toBe(304);
  });

  it.each<[string, (etag: string) => string]>([
    ['another tag', () => '"other"'],
    ['another tag in its weak form', () => 'W/"other"'],
    ['a list of others', () => '"a", "b", W/"c"'],
    ['the tag without quotes', (etag) => etag.slice(1, -1)],
    ['the tag in other letters', (etag) => etag.toLowerCase()],
    ['the weak form in lower case', (etag) => `w/${etag}`],
    ['a part of the tag', (etag) => `${etag.slice(0, -3)}"`],
    ['the tag with something behind it', (etag) => `${etag.slice(0, -1)}x"`],
    ['the tag with two suffixes', (etag) => `${etag.slice(0, -1)}-gzip-br"`],
    ['the tag with a suffix outside the quotes', (etag) => `${etag}-gzip`],
    ['a suffix alone', () => '"-gzip"'],
    ['the tag inside of another', (etag) => `"x${etag.slice(1)}`],
    ['a star in quotes', () => '"*"'],
    ['nothing', () => ''],
    ['two stars', () => '**'],
  ])('is not sent for an If-None-Match with %s', async (_what, print) => {
    const full = await service().get('/rates');

    const answer = await service().get('/rates', {
      'if-none-match': print(String(full.headers['etag'])),
    });

    expect([answer.status, answer.text]).toEqual([200, full.text]);
  });

  it.each(['if-modified-since', 'if-unmodified-since', 'if-match', 'if-range', 'range'])(
    'is not sent for %s, and neither is a part of the body',
    async (name) => {
      const { status } = await service().get('/rates', {
        [name]: 'Fri, 20 Nov 2037 16:00:00 GMT',
      });

      expect(status).toBe(200);
    },
  );

  it('is not sent for a star on a date that does not exist, which is 404', async () => {
    const { status, headers } = await service().get('/fx/2026-11-21', { 'if-none-match': '*' });

    expect(status).toBe(404);
    expect(headers).not.toHaveProperty('etag');
  });
});
