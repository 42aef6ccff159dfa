import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/vat-check/stored/evidence/evidence.ts';
import { readPublishedKeys } from '../../src/vat-check/stored/evidence/published-keys.ts';
import { verifyEvidence } from '../../src/vat-check/stored/evidence/verify.ts';
import { addCaller } from '../api/support/caller.ts';
import { settingsBeside } from '../cli/support/key-commands.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { countOf, reportFigure } from '../support/proof.ts';
import { runForJson } from '../support/run-cli.ts';
import { type TestService, shareService, startService } from '../support/start-service.ts';
import { flipBits } from './support/flip-bits.ts';
import { austrian, postCheck, requester, sendToChecks } from './support/stored-checks-api.ts';

const downNumber = { countryCode: 'IE', vatNumber: '301' };
const flips = countOf({ full: 5_000, perCommit: 600 });

/** The evidence of a new check, as its caller saves it. */
async function evidenceOf(service: TestService, body: object): Promise<Buffer> {
  const { check } = await postCheck(service, body);
  return Buffer.from((await sendToChecks(service, 'GET', `/${check.id}/evidence`)).text);
}

/** The keys as an auditor reads them, without an API key. */
async function publishedBy(service: TestService) {
  const { text } = await service.sendRequest({ path: '/evidence/keys' });
  return readPublishedKeys(Buffer.from(text));
}

describe('GET /vatchecks/<id>/evidence (rule K15)', () => {
  const service = shareService();

  it('has the bytes of the exchange and the check, signed with a published key', async () => {
    const { check } = await postCheck(service(), { ...austrian, requester });

    const { status, headers, text } = await sendToChecks(service(), 'GET', `/${check.id}/evidence`);

    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
    });
    const evidence = JSON.parse(text) as Evidence;
    expect(evidence).toMatchObject({
      id: check.id,
      registry: 'vies',
      endpoint: service().config.viesUrl,
      requestedAt: '2026-11-20T16:00:00.000Z',
      answeredAt: '2026-11-20T16:00:00.000Z',
    });
    expect(JSON.parse(Buffer.from(evidence.manifest, 'base64').toString())).toMatchObject({
      check,
      program: { name: 'vatfx' },
    });
    const verified = await verifyEvidence(Buffer.from(text), await publishedBy(service()));
    expect(verified).toMatchObject({ faults: [], reply: { kind: 'answered' } });
  });

  it('is the last exchange of a check that has expired, which proves no answer', async () => {
    const alone = await startService();
    const { check } = await postCheck(alone, { ...downNumber, expiresInHours: 1 });
    expect(formOf(await sendToChecks(alone, 'GET', `/${check.id}/evidence`))).toEqual(
      errorForm(409, 'check is pending'),
    );

    await alone.liveAt('2026-11-20T17:00:00Z');
    alone.startJobs();
    await expect
      .poll(async () => (await sendToChecks(alone, 'GET', `/${check.id}`)).text)
      .toContain('"expired"');

    const { text } = await sendToChecks(alone, 'GET', `/${check.id}/evidence`);
    const verified = await verifyEvidence(Buffer.from(text), await publishedBy(alone));
    expect(verified).toMatchObject({
      faults: [],
      reply: { kind: 'fault', text: 'MS_UNAVAILABLE' },
    });
  });

  it('is 404 for an unknown check, one of another key, and one that was deleted', async () => {
    const { check } = await postCheck(service());
    const other = await addCaller(service());
    const notFound = errorForm(404, 'not found');

    expect(formOf(await sendToChecks(other, 'GET', `/${check.id}/evidence`))).toEqual(notFound);
    expect(formOf(await sendToChecks(service(), 'GET', '/vc_1/evidence'))).toEqual(notFound);
    const unknown = `/vc_${'0'.repeat(32)}/evidence`;
    expect(formOf(await sendToChecks(service(), 'GET', unknown))).toEqual(notFound);
  });

  it(`shows every change of one bit (${flips} changes, rule K16)`, async () => {
    const file = await evidenceOf(service(), { ...austrian, requester });
    const evidence = JSON.parse(file.toString()) as Evidence;
    const published = await publishedBy(service());

    const found = await flipBits(flips, { evidence, published });

    reportFigure(
      'R30',
      `${flips} changes of one bit in evidence of the service: ${found.unseen.length} not found`,
    );
    expect(found).toEqual({ flips, unseen: [] });
  }, 600_000);
});

describe('GET /evidence/keys (rule K15)', () => {
  it('lists the keys without an API key, and evidence of all of them holds after a rotation', async () => {
    const service = await startService();
    expect((await service.sendRequest({ path: '/evidence/keys' })).text).toBe('{"keys":[]}');
    const files = [await evidenceOf(service, austrian)];

    const { from, to } = await runForJson<{ from: string; to: string }>(
      ['evidence', 'rotate'],
      settingsBeside(service),
    );

    files.push(await evidenceOf(service, austrian));
    const { status, headers } = await service.sendRequest({ path: '/evidence/keys' });
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=300']);
    const published = await publishedBy(service);
    expect(published.map(({ kid }) => kid).toSorted()).toEqual([from, to].toSorted());
    for (const file of files) {
      expect((await verifyEvidence(file, published)).faults).toEqual([]);
    }
    const keyIds = files.map((file) => (JSON.parse(file.toString()) as Evidence).keyId);
    expect(keyIds).toEqual([from, to]);
  });
});
