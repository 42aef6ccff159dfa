import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';

/**
 * The yardstick "bare": the smallest `node:http` server that writes the same bytes.
 *
 * Run as a program with its core and its body as arguments; says where it listens on its first line.
 */
const [, , core = '0', text = ''] = process.argv;
execFileSync('taskset', ['-cp', core, `${process.pid}`]);
const body = Buffer.from(text);
const server = createServer((_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`bare at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
