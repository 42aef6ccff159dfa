import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';

/**
 * Receivers for P10: one server that answers 204 to each POST, and answers GET with the number of deliveries and the
 * time of the last one. Run as a program with its core as argument.
 */
const [, , core = '0'] = process.argv;
execFileSync('taskset', ['-cp', core, `${process.pid}`]);
let count = 0;
let lastAtMs = 0;
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify({ count, lastAtMs }));
    return;
  }
  request.resume().once('end', () => {
    count += 1;
    lastAtMs = Date.now();
    response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`receivers at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
