import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config/config.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { SecretKeys } from '../../src/platform/encryption/secret-keys.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { systemClock } from '../../src/platform/time/time.ts';
import {
  type CheckEvidence,
  createCheckEvidence,
} from '../../src/vat-check/stored/evidence/check-evidence.ts';
import { Dice } from '../support/dice.ts';
import { countOf, reportFigure, seedOf } from '../support/proof.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../support/temporary-database.ts';
import { CheckLife } from './checks/check-life.ts';
import {
  eventViolationsOf,
  proofViolationsOf,
  returnViolationsOf,
  violationsOf,
} from './checks/check-laws.ts';

/** A server takes ten times as long for a life. */
const seeds = isPostgresql
  ? countOf({ full: 100, perCommit: 5 })
  : countOf({ full: 1_000, perCommit: 25 });
const firstSeed = seedOf(1);
const tables = [
  'webhook_deliveries',
  'events',
  'vat_check_idempotency',
  'vat_check_exchanges',
  'vat_check_batches',
  'vat_checks',
  'vat_registries',
] as const;

/** Counts of one life, and sentences about what went wrong in it. */
type Lived = {
  readonly violations: readonly string[];
  readonly checks: number;
  readonly queries: number;
  readonly proofs: number;
  readonly kills: number;
};

type World = { readonly dbs: readonly [Db, Db]; readonly evidence: CheckEvidence };

/** Two replicas share a database server; on the embedded database they are two workers of one connection. */
async function openWorld(): Promise<World> {
  const url = temporaryDatabaseUrl();
  const db = await openTemporaryDatabase(url);
  // Kills are simulated, so no commit has to reach the disk.
  if (!isPostgresql) await sql`pragma synchronous = off`.execute(db);
  const other = isPostgresql ? await openTemporaryDatabase(url) : db;
  const settings = { DATABASE_URL: url, SECRET_KEY: '01'.repeat(32) };
  const secretKeys = SecretKeys.load(readConfig(settings, '').config);
  const log = createLog('fatal', { write: () => {} });
  const evidence = createCheckEvidence({ secretKeys, clock: systemClock, log });
  return { dbs: [db, other], evidence };
}

async function live(seed: number, { dbs, evidence }: World): Promise<Lived> {
  const [db] = dbs;
  for (const table of tables) await db.deleteFrom(table).execute();
  const life = await CheckLife.begin(dbs, new Dice(seed), evidence);
  const checks = await life.live();
  const violations = [
    ...life.changedAfterEnd.map((row) => `changed after its end: ${row}`),
    ...checks.flatMap((check) => violationsOf(check, life)),
    ...returnViolationsOf(life),
    ...(await eventViolationsOf(db, checks)),
  ];
  let proofs = 0;
  for (const check of checks.filter(({ status }) => status !== 'pending')) {
    const proof = await proofViolationsOf(db, check, evidence);
    violations.push(...proof.violations);
    if (proof.isProven) proofs += 1;
  }
  const { queries, killCount: kills } = life;
  return { violations, checks: checks.length, queries: queries.length, proofs, kills };
}

describe('stored checks of three keys in simulated time (rules K4 to K9, K14 and K15; reliability R29)', () => {
  it(
    'each end once with one event, only by an answer to their own key and requester',
    { timeout: 1_200_000 },
    async () => {
      const world = await openWorld();
      const lived: Lived[] = [];
      for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
        const one = await live(seed, world);
        expect(one.violations.map((text) => `seed ${seed}: ${text}`)).toEqual([]);
        lived.push(one);
      }

      const sum = (of: 'checks' | 'queries' | 'proofs' | 'kills') =>
        lived.reduce((total, one) => total + one[of], 0);
      expect(Math.min(sum('checks'), sum('proofs'), sum('kills'))).toBeGreaterThan(0);
      reportFigure(
        'R29',
        `${seeds} seeds from ${firstSeed} on ${isPostgresql ? 'PostgreSQL' : 'SQLite'}, two replicas and three keys: ` +
          `${sum('checks')} checks, ${sum('queries')} queries, ${sum('kills')} kills; 0 checks not ended once, ` +
          `0 events lost or doubled, 0 values without an answer, ${sum('proofs')} proofs verified, 0 of another key or requester`,
      );
    },
  );
});
