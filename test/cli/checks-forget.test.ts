import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { listAudit } from '../../src/platform/database/audit.ts';
import { addSubscriber } from '../webhooks/support/subscriber.ts';
import { startWebhooks } from '../webhooks/support/start-webhooks.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import type { TestService } from '../support/start-service.ts';
import { tableNames } from '../support/table-names.ts';
import { austrian, postCheck, sendToChecks } from '../vat-check/support/stored-checks-api.ts';
import { settingsBeside } from './support/key-commands.ts';

const args = ['checks', 'forget', '--vat-number', 'at U 999 999 01'];

/** The tables in which a text occurs, as it is or as base64. */
async function tablesWith({ core: { db } }: TestService, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tableNames(db)) {
    const rows = await db
      .selectFrom(table as 'vat_checks')
      .selectAll()
      .execute();
    const values = rows.flatMap((row) => Object.values(row).map(String));
    const decoded = values.map((value) => Buffer.from(value, 'base64').toString());
    if ([...values, ...decoded].some((value) => value.includes(text))) found.push(table);
  }
  return found;
}

/** A service with checks and events about a number of two keys, and a check of another number. */
async function prepare() {
  const service = await startWebhooks();
  const subscriber = await addSubscriber(service);
  await subscriber.subscribe('shop', { events: ['vat.checked'] });
  const { check } = await postCheck(subscriber);
  await postCheck(service);
  const { check: other } = await postCheck(service, {
    countryCode: 'DE',
    vatNumber: '999999901',
    requester: austrian,
  });
  return { service, env: settingsBeside(service), check, other };
}

describe('checks forget --vat-number (rule K18)', () => {
  it('deletes number, name and address everywhere, of all keys, and keeps other checks', async () => {
    const { service, env, check, other } = await prepare();
    expect(await tablesWith(service, String(check.name))).toEqual([
      'events',
      'vat_check_exchanges',
      'vat_checks',
    ]);

    const done = await runForJson(args, env);

    // The other check has the number as its requester.
    const kept = { checks: 1, watches: 0, keys: 0 };
    expect(done).toEqual({ checks: 2, events: 2, watches: 0, kept });
    expect(await tablesWith(service, String(check.name))).toEqual([]);
    expect(await tablesWith(service, check.id)).toEqual([]);
    const { text } = await sendToChecks(service, 'GET');
    expect(JSON.parse(text)).toMatchObject({ checks: [{ id: other.id }] });
    // It stays as the requester of another check.
    expect(await tablesWith(service, 'U99999901')).toEqual([
      'events',
      'vat_check_exchanges',
      'vat_checks',
    ]);
  });

  it('leaves counts in the audit and in its report, and never the number', async () => {
    const { service, env } = await prepare();

    const { code, stdout } = await runCommand([...args, '--reason', 'by request'], env);

    expect([code, stdout]).toEqual([
      0,
      'Deleted: 2 checks with their evidence, 2 events about them with their deliveries, 0 watches.\n' +
        'Kept: 1 checks of other numbers, with their evidence and events, 0 watches and 0 API keys have the number as ' +
        'their requester.\n' +
        'Backups, exported evidence and receivers of webhooks still have what they got. Answers in memory and in Redis ' +
        'end within the hour.\n',
    ]);
    expect(await listAudit(service.core.db, 1)).toMatchObject([
      {
        action: 'checks.forget',
        subject: 'a VAT number',
        detail: { checks: 2 },
        reason: 'by request',
      },
    ]);
    expect((await runForJson<{ checks: number }>(args, env)).checks).toBe(0);
    const all = await listAudit(service.core.db, 9);
    expect(all.filter(({ action }) => action === 'checks.forget')).toHaveLength(1);
    expect(JSON.stringify(all)).not.toContain('99999901');
  });

  it('leaves the deleted watches in the audit even if the checks cannot be deleted', async () => {
    const { service, env } = await prepare();
    const { db } = service.core;
    await service.sendRequest({
      method: 'PUT',
      path: '/vatwatches/AT/U99999901',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: '{}',
    });
    await sql`create trigger kept before delete on vat_checks begin select raise(abort, 'kept'); end`.execute(
      db,
    );

    const { code, stderr } = await runCommand(args, env);

    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: kept\n' });
    expect(await db.selectFrom('vat_watches').selectAll().execute()).toEqual([]);
    expect(await listAudit(db, 1)).toMatchObject([
      { action: 'checks.forget', subject: 'a VAT number', detail: { watches: 1 } },
    ]);
  });
});
