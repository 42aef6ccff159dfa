import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';

/**
 * The yardstick of C26a: the smallest `node:http` server that answers `/rates` with 200, and everything else with a 429
 * that ends the connection.
 *
 * Run as a program with its core as argument. Its first line of output is its address.
 */
const [, , core = '0'] = process.argv;
execFileSync('taskset', ['-cp', core, `${process.pid}`]);
const type = { 'content-type': 'application/json; charset=utf-8' };
const refused = '{"error":"RATE_LIMITED"}';
const server = createServer((request, response) => {
  if (request.url === '/rates') response.writeHead(200, { ...type, 'content-length': 2 }).end('{}');
  else {
    const length = { 'content-length': refused.length };
    response.writeHead(429, { ...type, ...length, 'retry-after': '60', connection: 'close' });
    response.end(refused);
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`closing at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
