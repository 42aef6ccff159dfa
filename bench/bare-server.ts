import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * The yardstick "bare": the smallest `node:http` server that writes the same bytes.
 *
 * Run as a program with its core and the file of its answer as arguments. Its first line of output is its address.
 */
const [, , core = '0', answerFile = ''] = process.argv;
execFileSync('taskset', ['-cp', core, `${process.pid}`]);
const {
  status,
  headers,
  body: text,
} = JSON.parse(readFileSync(answerFile, 'utf8')) as {
  status: number;
  headers: Record<string, string>;
  body: string;
};
const body = Buffer.from(text);
const head = status === 304 ? headers : { ...headers, 'content-length': body.length };
const server = createServer((_request, response) => {
  response.writeHead(status, head);
  response.end(status === 304 ? undefined : body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`bare at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
