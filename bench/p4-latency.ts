import { execFile } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { promisify } from 'node:util';
import type { RateReport } from './constant-rate.ts';
import { engineSqlite } from './engines.ts';
import { prepareSubject, type Subject } from './from-memory.ts';
import { goals } from './goals.ts';
import { loadCore, measureThroughput, withKey } from './load.ts';
import { median, type Result, temporaryFolder } from './measure.ts';
import { startBare } from './yardsticks.ts';

const run = promisify(execFile);
/** Shares of the peak; the goal is set for a half. */
const shares = [0.25, 0.5, 0.75];
const goalShare = 0.5;

/**
 * P4: the time that a caller waits while the server is half busy.
 *
 * wrk measures the peak of each answer of P1 with the access log on. Then requests are sent at a constant rate, a
 * share of the peak. constant-rate.ts explains how the wait is counted.
 */
export async function measureLatency(rounds: number, seconds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using subject = await prepareSubject(folder.path, engineSqlite(folder.path));
  const results: Result[] = [];
  for (const { name, path } of subject.targets) {
    const url = subject.loggingUrl + path;
    // The growth with the load is measured for the first answer only.
    const measured = path === '/rates' ? shares : [goalShare];
    results.push(
      ...(await measureShares(url, subject, { name, shares: measured, rounds, seconds })),
    );
  }
  // The bare server shows how much of a wait is caused by the machine and the load generator.
  const { body = '' } = subject.targets[0] ?? {};
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  await using bare = await startBare(folder.path, { status: 200, headers, body });
  const yardstickRun = { name: 'bare server', shares: [goalShare], rounds, seconds };
  const yardstick = await measureShares(bare.url, subject, yardstickRun);
  const ofBare = median(yardstick.find(({ name }) => name.endsWith(p99))?.rounds ?? []);
  return [...results.flatMap((result) => withGoal(result, ofBare)), ...yardstick];
}

const p99 = ', p99';

/** A wait and, if the goal is set for it, the same as a multiple of the bare server's in this run. */
function withGoal(result: Result, ofBareMs: number): readonly Result[] {
  const { name, rounds } = result;
  if (!name.includes(` at ${goalShare} `) || !name.endsWith(p99)) return [result];
  const ratio = {
    name: `${name} against bare`,
    rounds: rounds.map((ms) => ms / ofBareMs),
    unit: '× bare',
    goal: goals.P4.p99OfBare,
  };
  return [result, ratio];
}

async function measureShares(
  url: string,
  subject: Subject,
  how: {
    readonly name: string;
    readonly shares: readonly number[];
    readonly rounds: number;
    readonly seconds: number;
  },
): Promise<Result[]> {
  await measureThroughput(url, withKey(subject.key), 1);
  const peak = Math.round(await measureThroughput(url, withKey(subject.key), 1));
  const results: Result[] = [];
  for (const share of how.shares) {
    const found: RateReport[] = [];
    for (let round = 0; round < how.rounds; round += 1) {
      const { seconds } = how;
      found.push(await sendAtRate(url, subject, { rate: Math.round(peak * share), seconds }));
      truncateSync(subject.logFile);
    }
    const title = `P4 ${how.name} at ${share} of ${peak} req/s`;
    results.push(
      { name: `${title}, p50`, rounds: found.map((f) => f.p50Ms), unit: 'ms', goal: '—' },
      { name: title + p99, rounds: found.map((f) => f.p99Ms), unit: 'ms', goal: '—' },
    );
  }
  return results;
}

async function sendAtRate(
  url: string,
  { key }: Subject,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<RateReport> {
  const args = ['bench/constant-rate.ts', loadCore, url, key, `${rate}`, `${seconds}`];
  const report = JSON.parse((await run(process.execPath, args)).stdout) as RateReport;
  // The report is still returned: it shows the waits at a lower rate.
  if (report.rate < rate * 0.9) console.error(`${url}: only ${report.rate} of ${rate} req/s`);
  return report;
}
