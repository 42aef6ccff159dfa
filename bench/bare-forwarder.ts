import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { Pool } from 'undici';

/**
 * The yardstick "bare" of a check: the smallest server that sends a number to the registry and passes its answer on.
 *
 * Run as a program with its core and the address of the registry as arguments. Its first line of output is its address.
 */
const [, , core = '0', registry = ''] = process.argv;
execFileSync('taskset', ['-cp', core, `${process.pid}`]);
const pool = new Pool(new URL(registry).origin);
const headers = { 'content-type': 'text/xml; charset=utf-8' };
const server = createServer((request, response) => {
  const [, , registryCode = '', number = ''] = (request.url ?? '').split('/');
  // As long as a request of the service; the registry of the bench reads these two elements.
  const body = `<countryCode>${registryCode}</countryCode><vatNumber>${number}</vatNumber>`.padEnd(
    400,
  );
  void pool
    .request({ path: '/', method: 'POST', headers, body })
    .then(async (answer) => response.end(await answer.body.text()));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`bare at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void pool.close();
});
