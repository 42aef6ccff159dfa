import { hostname, userInfo } from 'node:os';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { type AuditEntry } from '../../src/platform/database/audit.ts';
import { listHeld } from '../../src/platform/publication/held-store.ts';
import { operatorId } from '../../src/vat-check/stored/owner.ts';
import { runForJson } from '../support/run-cli.ts';
import { correctFixing, publishValue } from '../support/sandbox/scripts.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { storeBlock, storeChecks } from '../support/stored-checks.ts';
import { storeSubscription } from '../support/stored-webhooks.ts';
import { addSubscriber } from '../webhooks/support/subscriber.ts';
import { startWebhooks } from '../webhooks/support/start-webhooks.ts';
import { createByCommand, openKeyDatabase, settingsBeside } from './support/key-commands.ts';
import { createWholeProgram } from './support/list-commands.ts';
import { startAhead, today } from './support/start-ahead.ts';

const actor = `${userInfo().username}@${hostname()}`;
const reason = 'ticket 7: by request';

/** Commands with `--reason`, each with the action that the audit records. */
const changing: Readonly<Record<string, string>> = {
  'keys create': 'keys.create',
  'keys change': 'keys.change',
  'keys rotate': 'keys.rotate',
  'keys revoke': 'keys.revoke',
  'webhooks enable': 'webhooks.change',
  'webhooks disable': 'webhooks.change',
  'secrets rotate': 'secrets.rotate',
  'checks forget': 'checks.forget',
  'checks unblock': 'checks.unblock',
  'evidence rotate': 'evidence.rotate',
  'snapshots approve': 'snapshots.approved',
  'snapshots reject': 'snapshots.rejected',
  'snapshots withdraw': 'snapshots.withdraw',
  'fx correct': 'fx.correct',
  'fx closed': 'fx.closed',
  'fx reopen': 'fx.reopen',
  'errata add': 'errata.add',
  'errata remove': 'errata.remove',
};

const erratum =
  '--country HU --field standard --from 2026-11-01 --source 27 --law 26 --legal-basis law'.split(
    ' ',
  );

const closing = ['2026-03-03', '--bank', 'nbp'];

/** Arguments of each command, and the settings with which it changes something. */
type Prepared = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

const preparations: Readonly<Record<string, () => Promise<Prepared>>> = {
  'keys create': async () => ({ args: ['--name', 'shop'], env: (await openKeyDatabase()).env }),
  'keys change': async () => prepareKey('--quota', '5'),
  'keys rotate': async () => prepareKey(),
  'keys revoke': async () => prepareKey(),
  'webhooks enable': async () => prepareSubscription('disabled'),
  'webhooks disable': async () => prepareSubscription('enabled'),
  'secrets rotate': async () => {
    const service = await startWebhooks({ config: { secretKey: '5e'.repeat(32) } });
    await (await addSubscriber(service)).subscribe('shop');
    await service.stop();
    const keys = { SECRET_KEY: '5e'.repeat(32), SECRET_KEY_NEXT: '7b'.repeat(32) };
    return { args: [], env: { DATABASE_URL: service.config.databaseUrl, ...keys } };
  },
  'checks forget': async () => {
    const { db, env } = await openKeyDatabase();
    await storeChecks(db, { id: 'vc_1', key_id: operatorId });
    return { args: ['--vat-number', 'DE811115368'], env };
  },
  'checks unblock': async () => {
    const { db, env } = await openKeyDatabase();
    await storeBlock(db, { blocked_until: '2026-11-20T17:00:00.000Z' });
    return { args: [], env };
  },
  'evidence rotate': async () => ({ args: [], env: (await openKeyDatabase()).env }),
  'snapshots approve': async () => prepareHeld(),
  'snapshots reject': async () => prepareHeld(),
  'snapshots withdraw': async () => {
    return { args: ['--after', today], env: settingsBeside(await startAhead()) };
  },
  'fx correct': async () => {
    const service = await liveOn('2026-11-19');
    correctFixing(service.scenario, '2026-11-18', 'NOK', '11.5829');
    await service.liveAt('2026-11-20T16:00:00Z');
    return { args: ['2026-11-18'], env: settingsBeside(service) };
  },
  'fx closed': async () => ({ args: closing, env: (await openKeyDatabase()).env }),
  'fx reopen': async () => {
    const { env } = await openKeyDatabase();
    await runForJson(['fx', 'closed', ...closing, '--reason', 'notice of the bank'], env);
    return { args: closing, env };
  },
  'errata add': async () => ({ args: erratum, env: (await openKeyDatabase()).env }),
  'errata remove': async () => {
    const { env } = await openKeyDatabase();
    const { id } = await runForJson<{ readonly id: string }>(['errata', 'add', ...erratum], env);
    return { args: [id], env };
  },
};

async function prepareKey(...more: readonly string[]): Promise<Prepared> {
  const { env } = await openKeyDatabase();
  return { args: [(await createByCommand(env)).id, ...more], env };
}

async function prepareSubscription(status: 'enabled' | 'disabled'): Promise<Prepared> {
  const { db, env } = await openKeyDatabase();
  await storeSubscription(db, { id: 'sub_a', status });
  return { args: ['sub_a'], env };
}

async function prepareHeld(): Promise<Prepared> {
  const service = await liveOn('2026-11-19');
  publishValue(service.scenario, '2026-11-20', 'USD', '11.6');
  await service.liveAt('2026-11-20T16:00:00Z');
  const [held] = await listHeld(service.core.db);
  return { args: [held?.id ?? ''], env: settingsBeside(service) };
}

async function liveOn(day: string): Promise<TestService> {
  const at = `${day}T16:00:00Z`;
  const service = await startService({ at });
  await service.liveAt(at);
  return service;
}

describe('the audit of a command (contract C25)', () => {
  it.each(Object.keys(changing))('names the operator and the reason: %s', async (command) => {
    const { args, env } = (await preparations[command]?.()) ?? { args: [], env: {} };

    await runForJson([...command.split(' '), ...args, '--reason', ` ${reason} `], env);

    const [newest] = await runForJson<AuditEntry[]>(['audit', '--limit', '1'], env);
    expect(newest).toMatchObject({ action: changing[command], actor, reason });
  });

  it('is of every command that has the option --reason', async () => {
    const paths = listPaths(await createWholeProgram());

    expect(paths.toSorted()).toEqual(Object.keys(changing).toSorted());
  });
});

/** The paths of the commands that have `--reason`. */
function listPaths(command: Command, path: readonly string[] = []): readonly string[] {
  const hasReason = command.options.some(({ long }) => long === '--reason');
  const below = command.commands.flatMap((one) => listPaths(one, [...path, one.name()]));
  return hasReason ? [path.join(' '), ...below] : below;
}
