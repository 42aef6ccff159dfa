import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { openFirstDatabase } from '../support/first-database.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';
import { countFx, openBackedUp, serveRestored } from './support/restore-world.ts';

/** Undoes migrations 0015, 0017, 0018, 0020 and 0021. */
const withoutEventsAndWatches = `alter table api_keys drop column requester; drop table vat_watches; alter table vat_checks drop column watch_id;
  drop trigger events_position; drop table event_log; drop table event_log_epochs;
  drop index events_in_order; drop index events_of_reader; alter table events drop column position;
  drop index events_of_key; drop index events_of_subject; drop index webhook_deliveries_of_status; drop index vat_checks_not_answered;
  alter table events drop column subject; alter table events drop column body;`;

describe.skipIf(isPostgresql)('restore FILE of an earlier version', () => {
  it('restores a backup from before the audit had actors (migration 0011), and the next start migrates it', async () => {
    const { backup, env } = await openBackedUp();
    {
      using earlier = new DatabaseSync(backup);
      // Without what migration 0011 and the later ones add, and with the table that 0030 drops.
      earlier.exec(`alter table audit drop column actor; alter table audit drop column reason;
        alter table runs drop column failure;
        ${withoutEventsAndWatches}
        drop table vat_checks; drop table vat_check_exchanges; drop table vat_check_batches;
        drop table vat_check_idempotency; drop table vat_registries; drop table evidence_keys;
        drop table rate_category_sets; drop table rate_categories;
        drop table rate_errata; drop table rate_errata_fixed; drop table withdrawals;
        drop table registry_blocks; drop table registry_calls;
        create table webhook_replays (id text primary key, key_id text not null, at text not null, deliveries integer not null);
        delete from kysely_migration where name >= '0011-audit-actors'`);
    }

    const { code, stderr } = await runCommand(['restore', backup], env);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { opsUrl } = await serveRestored(env);
    expect((await fetch(`${opsUrl}/ready`)).status).toBe(200);
    const entries = await runForJson<readonly { readonly actor: unknown }[]>(['audit'], env);
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter(({ actor }) => actor !== null)).toEqual([]);
  });

  it('says that the key of webhook secrets is missing, for a backup from before keys of evidence (migration 0014)', async () => {
    const { backup, env } = await openBackedUp();
    {
      using earlier = new DatabaseSync(backup);
      earlier.exec(`drop table evidence_keys; ${withoutEventsAndWatches}
        delete from kysely_migration where name >= '0014-evidence-keys';
        insert into webhook_secrets (id, subscription_id, sealed, created_at)
          values ('whs_1', 'sub_1', 'v1.x', '2026-11-20T15:00:00.000Z')`);
    }

    const { stderr } = await runCommand(['restore', backup], env);

    expect(stderr).toContain('secrets are stored, but SECRET_KEY is not set');
  });

  it('restores a backup of the first version, and the next start migrates it', async () => {
    const { file, env } = await openBackedUp();
    const first = join(temporaryFolder(), 'first.db');
    const db = await openFirstDatabase(`file:${first}`);
    await db
      .insertInto('fx_snapshots')
      .values({
        date: '2026-11-20',
        body: '{"date":"2026-11-20","base":"EUR","rates":{"USD":1.1621}}',
        stored_at: '2026-11-20T15:00:00.000Z',
      })
      .execute();
    await db.destroy();

    const { code, stderr } = await runCommand(['restore', first], env);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const migrated = await openDatabase(env.DATABASE_URL);
    await migrated.destroy();
    expect(countFx(file)).toBe(1);
    expect(await runForJson(['audit'], env)).toEqual([]);
  });
});
