import type { ProofName } from '../test/support/proof.ts';
import { type Proof, postgresql, sqlite } from './proof.ts';
import { laterProofs } from './later-proofs.ts';
import { proofsOfTests } from './proofs-of-tests.ts';

/** The proofs of every promise of reliability and security, then those of the tests themselves. */
export const proofs: Readonly<Record<ProofName, Proof>> = {
  R1: {
    title: '`kill -9` during the daily job',
    goal: 'The process is killed at each statement, around the call to the upstream and at random, 400 times on each engine: no row or event is lost or doubled, and a date has one `detectedAt`.',
    suites: [sqlite('test/journeys/crash.test.ts'), postgresql('test/journeys/crash.test.ts')],
    when: 'parallel',
    isLong: true,
    smaller: null,
  },
  R2: {
    title: 'Power loss',
    goal: 'The write-ahead log is cut at 400 places and 200 of its bits are flipped: no half-written day, no acknowledged commit lost; every commit is flushed to the disk.',
    suites: [sqlite('test/journeys/power-loss.test.ts')],
    when: 'parallel',
    smaller:
      'on the embedded engine only, because a database server is responsible for its own disk.',
  },
  R3: {
    title: 'Disk full and I/O errors',
    goal: 'The k-th write fails: the job fails, reads go on, the run is recorded when there is room again, and nothing is corrupt.',
    suites: [sqlite('test/journeys/failing-disk.test.ts', 'test/journeys/losing-disk.test.ts')],
    when: 'parallel',
    smaller:
      'on the embedded engine only, because a database server is responsible for its own disk.',
  },
  R4: {
    title: 'Simulated time',
    goal: 'Seeds of random lives with faults, wrong clocks and restarts; after every step: the first snapshot and all rows are the latest, no immutable URL has two bodies, the latest never goes back, a date has one `detectedAt`, an event exists exactly if a diff is not empty, nothing that is not final is immutable, no outage is `valid:false`, no secret is in any output. The goal is 10,000 seeds of 365 days.',
    suites: [
      sqlite(
        'test/simulation/simulation.test.ts',
        'test/simulation/fold.test.ts',
        'test/simulation/broken-builds.test.ts',
      ),
    ],
    when: 'alone',
    smaller:
      'as many seeds as can begin within the time of the proof. A simulated day with all its checks takes 25 to 40 ms of a core, so 10,000 years take about forty hours of a core.',
  },
  R5: {
    title: 'Implausible documents',
    goal: 'All real moves and all days of the ECB since 1999 pass; of 2,000 mutated documents of each upstream none that is implausible is published.',
    suites: [
      sqlite(
        'test/fuzz/published.test.ts',
        'test/fuzz/real-days.test.ts',
        'test/fuzz/plausibility.test.ts',
      ),
    ],
    when: 'parallel',
    smaller: null,
  },
  R6: {
    title: 'Missed runs',
    goal: 'The service is down for 1, 3 and 30 days, its clock is a day off, clocks change at night, and a job runs twice in a row or at the same time: rows and events are as if it had never been down.',
    suites: [
      sqlite(
        'test/journeys/missed-runs.test.ts',
        'test/journeys/clocks.test.ts',
        'test/journeys/replicas.test.ts',
      ),
    ],
    when: 'parallel',
    smaller: null,
  },
  R7: {
    title: 'Several replicas publish once',
    goal: 'Five replicas on PostgreSQL, 200 times, some held longer than their lease and some with their session killed: exactly one publication each.',
    suites: [postgresql('test/journeys/pg-publication.test.ts')],
    when: 'parallel',
    isLong: true,
    smaller: null,
  },
  R8: {
    title: 'The same bytes from both engines',
    goal: 'For 5,000 random data sets SQLite and PostgreSQL answer the same bytes.',
    suites: [postgresql('test/journeys/pg-same-bytes.test.ts')],
    when: 'parallel',
    smaller: null,
  },
  R9: {
    title: 'Backup while writing',
    goal: 'A database is backed up while it is written to, and restored, 20 times: every dated URL answers the same.',
    suites: [sqlite('test/cli/backup-while-writing.test.ts')],
    when: 'parallel',
    smaller: null,
  },
  R10: {
    title: 'One deadline for a check',
    goal: 'A check stalls at 12 points from the queue to the last byte: `503 TIMEOUT` within 10.0 to 10.5 s, the socket is destroyed, no handle is left.',
    suites: [sqlite('test/vat-check/deadline.test.ts', 'test/vat-check/shared-deadline.test.ts')],
    when: 'alone',
    smaller: null,
  },
  R11: {
    title: 'Answers that are too large',
    goal: 'Gzip bombs and a body of 1 GB: memory grows by less than 20 MB, and the caller gets the right error.',
    suites: [sqlite('test/vat-check/body-caps.test.ts', 'test/faults/large-bodies.test.ts')],
    when: 'parallel',
    smaller: null,
  },
  R12: {
    title: 'Strict XML',
    goal: 'A DOCTYPE, deep nesting and long texts are refused, and so is every truncation of a real answer of TEDB. Of 10,000 mutants, none that the schema forbids is accepted. The event loop never waits longer than 100 ms.',
    suites: [sqlite('test/fuzz/xml.test.ts')],
    when: 'alone',
    smaller:
      'a wait of the event loop counts if three tries in a row have it, because the machine is shared.',
  },
  R13: {
    title: 'No outage is `valid:false`',
    goal: 'All known and 1,000 unknown codes of VIES, with 200 and with 500: `valid:false` only if VIES said so. 200 watches of numbers report only what two answers prove.',
    suites: [sqlite('test/vat-check/codes.test.ts', 'test/vat-check/watch-laws.test.ts')],
    when: 'parallel',
    smaller: null,
  },
  R14: {
    title: 'A Member State that hangs',
    goal: '1,000 equal checks are one call. While one state hangs, the 99th percentile of checks in other states is at most 1.2 times the usual. In ten minutes of outage the state is called at most 40 times.',
    suites: [
      sqlite(
        'test/vat-check/protection.test.ts',
        'test/vat-check/outage.test.ts',
        'test/vat-check/shared-callers.test.ts',
      ),
    ],
    when: 'alone',
    smaller: null,
  },
  R15: {
    title: 'Signatures',
    goal: '10,000 random payloads verify with the `standardwebhooks` library, and 100,000 that differ in a byte do not.',
    suites: [sqlite('src/webhooks/signature.test.ts')],
    when: 'parallel',
    smaller: null,
  },
  R16: {
    title: '`kill -9` during delivery',
    goal: 'The process is killed 200 times while it delivers to ten receivers: no delivery is lost or invented, and each arrives exactly once by its `webhook-id`, which stays the same. A rotation of SECRET_KEY that is killed at four points loses no delivery.',
    suites: [
      sqlite('test/journeys/webhook-crash.test.ts', 'test/journeys/secret-rotation.test.ts'),
      postgresql('test/journeys/webhook-crash.test.ts', 'test/journeys/secret-rotation.test.ts'),
    ],
    when: 'parallel',
    isLong: true,
    smaller: null,
  },
  R17: {
    title: 'Receivers that hang',
    goal: '50 receivers hang beside 50 good ones: at the 99th percentile the good ones get their event within 2 s of the commit.',
    suites: [sqlite('test/journeys/webhook-tarpits.test.ts')],
    when: 'alone',
    smaller: null,
  },
  R18: {
    title: 'No delivery into the private network',
    goal: 'At least 60 spellings of addresses that are not public, 1,000 names that change their address, mixed answers and five kinds of redirect: no connection, counted by a listener.',
    suites: [
      sqlite(
        'src/webhooks/network/ssrf-guard-addresses.test.ts',
        'src/webhooks/network/ssrf-guard-redirects.test.ts',
      ),
    ],
    when: 'parallel',
    smaller:
      'the listener counts what reaches this machine; of other addresses those count to which a connection was begun.',
  },
  R19: {
    title: 'A webhook is never ahead of the API',
    goal: 'When a webhook arrives, `/changes` has its rows on any replica: 500 of 500.',
    suites: [
      sqlite('test/journeys/webhook-freshness.test.ts'),
      postgresql('test/journeys/webhook-freshness.test.ts'),
    ],
    when: 'parallel',
    isLong: true,
    smaller: null,
  },
  R20: {
    title: 'Secrets stay secret',
    goal: '20,000 requests have canary keys and secrets wherever a request can hold them: none appears in a log, metric, error, database file or backup.',
    suites: [sqlite('test/journeys/secrecy.test.ts', 'test/journeys/secrecy-builds.test.ts')],
    when: 'parallel',
    smaller: null,
  },
  R21: {
    title: 'Limits over replicas',
    goal: 'A quota of 5,000 under three replicas with 100 connections each lets exactly 5,000 through. With the quota used up, 1,000 of 1,000 cached checks are answered. With Redis killed, stopped or slow: no 5xx, at most twice the limit in the minute of the outage, and the replicas count together again within 5 s of its return. Without Redis: at most 1.1 × the quota and 1.5 × the rate limit in a window.',
    suites: [
      sqlite(
        'test/journeys/redis-limits.test.ts',
        'test/api/quota.test.ts',
        'src/access/limits/counter-shares.test.ts',
        'src/access/limits/counter-redis.test.ts',
        'src/access/limits/counter-outage.test.ts',
      ),
    ],
    when: 'parallel',
    smaller: null,
  },
  R22: {
    title: 'Keys that are revoked or have expired',
    goal: 'Such a key is accepted for at most 5 s more, on every replica.',
    suites: [
      sqlite('test/journeys/key-changes.test.ts', 'test/journeys/replica-keys.test.ts'),
      postgresql(
        'test/journeys/key-changes.test.ts',
        'src/access/authentication/authenticator-changes.test.ts',
      ),
    ],
    when: 'parallel',
    isLong: true,
    smaller: null,
  },
  R23: {
    title: 'Requests from the contract',
    goal: '100,000 requests made from `openapi.json`: no unexpected 5xx, no status, schema or header that is not documented, no invalid input accepted, no answer without authentication.',
    suites: [sqlite('test/fuzz/contract.test.ts'), postgresql('test/fuzz/contract.test.ts')],
    when: 'parallel',
    isLong: true,
    smaller: null,
  },
  R24: {
    title: 'Raw HTTP',
    goal: 'At least 80 odd payloads: none smuggled, no 5xx. 1,000 slow connections: good callers are answered meanwhile, and all are closed within 7 s. 400 clients that send 500 requests each and read nothing, 2,000 with large answers, 1,500 while the process may open 2,048 files, each from an address of its own: memory grows by at most 150 MB, other callers wait at most 100 ms at the 99th percentile, all closed within 20 s; at the operations port within 30 s. 500 bodies of each kind with the largest texts, then each list: memory grows by at most 300 MB, another caller waits at most 100 ms.',
    suites: [
      sqlite(
        'test/fuzz/raw.test.ts',
        'test/api/raw.test.ts',
        'test/api/raw-refusals.test.ts',
        'test/faults/unread-answers.test.ts',
        'test/faults/largest-texts.test.ts',
      ),
    ],
    when: 'alone',
    smaller: null,
  },
  R25: {
    title: 'Rolling restart',
    goal: '20 restarts under load: no request fails, and each takes less than 30 s.',
    suites: [sqlite('test/journeys/rolling-restart.test.ts')],
    when: 'parallel',
    isLong: true,
    smaller: null,
  },
  R26: {
    title: 'Losing a part',
    goal: 'Without its database, Redis, DNS, upstreams, disk or clock, each route answers as the table in [operating.md](operating.md) says; published snapshots are always answered.',
    suites: [
      sqlite(
        'test/journeys/losing-clock.test.ts',
        'test/journeys/losing-database.test.ts',
        'test/journeys/losing-disk.test.ts',
        'test/journeys/losing-redis.test.ts',
        'test/journeys/losing-upstreams.test.ts',
        'test/journeys/losing-work.test.ts',
        'test/faults/jobs.test.ts',
        'test/faults/checks.test.ts',
        'test/faults/engines.test.ts',
        'test/faults/bit-flips.test.ts',
      ),
    ],
    when: 'parallel',
    isLong: true,
    smaller: null,
  },
  R27: {
    title: 'Soak',
    goal: 'Under requests of all kinds, stored checks, watches, webhooks and 20 waiting readers of events, memory grows by less than 1 MB an hour, file descriptors stay, and the 99th percentile of the event loop’s delay is below 50 ms during the daily job.',
    suites: [sqlite('test/prove/soak.test.ts')],
    program: ['prove/soak/main.ts', '--minutes', '30'],
    when: 'background',
    smaller:
      '30 minutes in the background of all other proofs; `npm run soak` runs for an hour, alone.',
  },
  R28: {
    title: 'Supply chain',
    goal: 'The lockfile has the digest of every package, no package that is needed at run time has an install script, and the audit is clean.',
    suites: [sqlite('test/package/supply-chain.test.ts')],
    when: 'parallel',
    smaller: 'if the npm registry offers no audit, the audit is skipped, and the figure says so.',
  },
  ...laterProofs,
  ...proofsOfTests,
};

/** Finds a proof by its name; throws if there is none. */
export function proofOf(name: ProofName): Proof {
  const proof = proofs[name];
  if (proof === undefined) throw new Error(`there is no proof of ${name}`);
  return proof;
}
