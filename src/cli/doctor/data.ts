import { statSync } from 'node:fs';
import { hasKeys, listKeys } from '../../access/authentication/key-store.ts';
import { dataSets } from '../../composition/data-sets.ts';
import { describeDoubt } from '../../composition/load-settings.ts';
import { type DataSetKind, listKinds } from '../../platform/publication/data-set-kinds.ts';
import type { Config } from '../../platform/config/options.ts';
import { secretKeyCommand } from '../../platform/config/secret-key.ts';
import { connectDatabase, type Db } from '../../platform/database/database.ts';
import { embeddedFileOf, keyFileOf } from '../../platform/database/sqlite/embedded-file.ts';
import { findWentBack } from '../../events/log/epochs.ts';
import { findEncrypted } from '../../platform/encryption/encrypted-columns.ts';
import { listReplicas } from '../../platform/database/replicas/replicas.ts';
import { listCorrections } from '../../platform/publication/correction-store.ts';
import type { DataSet } from '../../platform/publication/data-set.ts';
import { readProspect } from '../../platform/publication/held-prospect.ts';
import { type HeldSnapshot, listHeld } from '../../platform/publication/held-store.ts';
import { findLastRun, findRemark } from '../../platform/schedule/run-log.ts';
import { systemClock } from '../../platform/time/time.ts';
import { opensWith } from '../../platform/encryption/secret-box.ts';
import { readKeyFiles } from '../../platform/encryption/secret-keys.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { checkConnections } from './connections.ts';
import { findSecretKey } from '../installation/secret-key-place.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';
import { checkStoredChecks, checkWatches } from './stored-checks.ts';
import { describeServer, isFile } from '../installation/embedded-database.ts';

/** Checks the contents of a readable database: secret key, API keys, running servers, stored checks, freshness of each data set. */
export async function checkData(config: Config): Promise<readonly Finding[]> {
  await using db = connectDatabase(config.databaseUrl.reveal());
  return [
    await checkSecretKey(db, config),
    ...(await checkKeys(db)),
    ...(await checkRequesters(db)),
    await reportServers(db),
    ...(await checkWentBack(db)),
    ...(await checkConnections(db, config)),
    await checkStoredChecks(db),
    await checkWatches(db),
    ...(await Promise.all(
      listKinds(config).map(async (kind) => checkFreshness(db, dataSets[kind])),
    )),
  ];
}

async function checkSecretKey(db: Db, config: Config): Promise<Finding> {
  const check = 'secret key';
  const { databaseUrl, secretKey } = config;
  const embedded = embeddedFileOf(databaseUrl.reveal());
  if (embedded === undefined && secretKey === undefined) {
    const advice = `set it, the same for every process; make one with: ${secretKeyCommand}`;
    return wrong(check, 'SECRET_KEY is not set', advice);
  }
  const file = embedded ?? '';
  const { warning: problem } = await findSecretKey(db, config, file);
  if (problem !== undefined) {
    return wrong(check, problem, 'bring back the SECRET_KEY or the .secret-key file of the backup');
  }
  if (config.secretKeyNext !== undefined) return checkRotation(db, config);
  if (secretKey !== undefined) return ok(check, 'SECRET_KEY is set, and fits');
  const keyFile = keyFileOf(file);
  if (!isFile(keyFile)) {
    return ok(check, 'none yet; the first start makes one beside the database');
  }
  if (process.platform !== 'win32' && (statSync(keyFile).mode & 0o077) !== 0) {
    return warning(check, `other users can read ${keyFile}`, `chmod 600 ${keyFile}`);
  }
  const [next, ...others] = readKeyFiles(keyFile);
  if (next !== undefined && others.length > 0) {
    const found = `${next.file} exists: a rotation of the key was interrupted`;
    return warning(check, found, `"${vatfx('secrets rotate')}" completes it`);
  }
  return ok(check, `${keyFile} fits`);
}

/** Warns before the first API key: no request is answered without one. */
async function checkKeys(db: Db): Promise<readonly Finding[]> {
  if (await hasKeys(db)) return [];
  return [warning('API keys', 'no API key yet', vatfx('keys create --name me'))];
}

/** Warns of keys on behalf of a number that perhaps no business has (rule K3). */
async function checkRequesters(db: Db): Promise<readonly Finding[]> {
  return (await listKeys(db)).flatMap(({ id, requester, revokedAt }) => {
    const doubt = revokedAt === null ? describeDoubt(requester ?? '') : undefined;
    if (doubt === undefined) return [];
    const found = `that of ${id} is ${requester}: ${doubt}`;
    return [warning('requester', found, `"${vatfx(`keys change ${id} --requester`)}" corrects it`)];
  });
}

/** Reports how far a rotation is: secrets are encrypted with SECRET_KEY or with SECRET_KEY_NEXT. */
async function checkRotation(db: Db, { secretKeyNext }: Config): Promise<Finding> {
  const sample = await findEncrypted(db);
  const next = secretKeyNext?.reveal();
  const isDone = sample !== undefined && next !== undefined && opensWith(next, sample);
  const found = isDone ? 'secrets are encrypted with SECRET_KEY_NEXT' : 'the rotation is not done';
  return warning(
    'secret key',
    `SECRET_KEY and SECRET_KEY_NEXT are set; ${found}`,
    isDone
      ? 'set SECRET_KEY to what SECRET_KEY_NEXT is for every server, and remove SECRET_KEY_NEXT'
      : `restart every server with both, then call "${vatfx('secrets rotate')}"`,
  );
}

async function reportServers(db: Db): Promise<Finding> {
  const servers = await listReplicas(db, systemClock.now());
  const found = servers.map((server) => `${describeServer(server)} since ${server.startedAt}`);
  return ok('servers', found.join(', ') || 'none runs');
}

/** Reports a database that lacks what servers had read from it, for seven days (rule E8). */
async function checkWentBack(db: Db): Promise<readonly Finding[]> {
  const wentBack = await findWentBack(db, systemClock.now());
  if (wentBack === undefined) return [];
  const advice =
    'the last commits are gone: docs/operating.md, "Failover of PostgreSQL", says what to do';
  return [warning('lost commits', `${wentBack.reason}, noticed at ${wentBack.at}`, advice)];
}

async function checkFreshness(db: Db, dataSet: DataSet): Promise<Finding> {
  const { kind, findLatest, countMissed, correctionAdvice } = dataSet;
  const newest = (await findLatest(db))?.date;
  const nowMs = systemClock.now();
  const missed = countMissed(newest, nowMs);
  const today = dataSet.today(nowMs);
  const isLater = newest !== undefined && newest > today;
  const held = await listHeld(db, kind);
  const newestHeld = held.at(-1);
  const corrections = (await listCorrections(db, kind)).length;
  const remark = await findRemark(db, kind);
  const found = [
    newest === undefined ? 'nothing is published yet' : `newest ${newest}`,
    ...(isLater ? [`later than today, ${today}`] : []),
    `${missed} publications missed`,
    `${held.length} held`,
    `${corrections} corrections`,
    ...(remark === null ? [] : [`remark on the newest: ${remark}`]),
  ].join(', ');
  if (isLater) {
    const advice = `if the clock of this machine is right, "${vatfx(`snapshots withdraw --after ${today}`)}" takes it back`;
    return wrong(kind, found, advice);
  }
  if (newestHeld !== undefined) {
    const advice = await adviseOnHeld(db, dataSet, newestHeld);
    return missed > 0 ? wrong(kind, found, advice) : warning(kind, found, advice);
  }
  if (missed > 0) return wrong(kind, found, await adviseOnRuns(db, kind));
  if (corrections > 0) return warning(kind, found, correctionAdvice);
  return ok(kind, found);
}

async function adviseOnHeld(
  db: Db,
  dataSet: DataSet,
  { id, version }: HeldSnapshot,
): Promise<string> {
  const of = { version, nowMs: systemClock.now() };
  const { askedAgainAt, sentence } = await readProspect(db, dataSet, of);
  const wait = askedAgainAt === null ? '' : 'wait for the next run, or ';
  return `${wait}look: "${vatfx(`snapshots show ${id}`)}" (${sentence})`;
}

async function adviseOnRuns(db: Db, kind: DataSetKind): Promise<string> {
  const last = await findLastRun(db, kind);
  const again = `"${vatfx(`jobs run ${kind}`)}" runs it now; a server with JOBS=on runs it by itself`;
  if (last === undefined) return `it has never been run: ${again}`;
  const ended = `${last.outcome ?? 'not ended'}${last.detail === null ? '' : ` (${last.detail})`}`;
  return `the last run, at ${last.startedAt}: ${ended}; ${again}`;
}
