import { prepareSubject } from './from-memory.ts';
import { goals } from './goals.ts';
import { requestOnce, withKey } from './load.ts';
import { type Result, temporaryFolder } from './measure.ts';
import { divide, measureInTurn } from './rounds.ts';
import { startBare } from './yardsticks.ts';
import { engineSqlite } from './engines.ts';

/**
 * P2: the cost of a 304.
 *
 * The answers of P1 are requested with their ETag in If-None-Match, compared with a bare server that writes a 304 with
 * the same headers.
 */
export async function measureNotModified(rounds: number, seconds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using subject = await prepareSubject(folder.path, engineSqlite(folder.path));
  const { key, quietUrl, loggingUrl, logFile } = subject;
  const results: Result[] = [];
  for (const { name, path, headers } of subject.targets) {
    const etag = headers.get('etag') ?? '';
    const cached = { etag, 'cache-control': headers.get('cache-control') ?? '' };
    await using bareServer = await startBare(folder.path, {
      status: 304,
      headers: cached,
      body: '',
    });
    const args = [...withKey(key), '-H', `If-None-Match: ${etag}`];
    const competitors = {
      quiet: { url: quietUrl + path, args },
      logging: { url: loggingUrl + path, args },
      bare: { url: bareServer.url, args },
    };
    for (const { url } of Object.values(competitors)) {
      const requestHeaders = { authorization: `Bearer ${key}`, 'if-none-match': etag };
      const answer = await requestOnce(url, requestHeaders, 304);
      if (answer.headers.get('etag') !== etag) throw new Error(`${url} answers another ETag`);
    }
    const { quiet, logging, bare } = await measureInTurn(competitors, { rounds, seconds, logFile });
    const title = `P2 304 of ${name}`;
    results.push(
      { name: `${title}, bare server`, rounds: bare, unit: 'req/s', goal: '—' },
      { name: `${title}, log off`, rounds: divide(quiet, bare), unit: '× bare', goal: '—' },
      {
        name: `${title}, log on`,
        rounds: divide(logging, bare),
        unit: '× bare',
        goal: goals.P2.ofBare,
      },
    );
  }
  return results;
}
