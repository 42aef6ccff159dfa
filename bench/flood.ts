import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';

/**
 * Sends as many requests as a server takes, for C26a: 50 connections with 30 requests each that are sent together. A
 * connection sends 30 more when all are answered; one that the server ends is opened again immediately.
 *
 * Run as a program with its core, a URL, a key (empty for none) and the seconds as arguments; prints a report.
 */
export type FloodReport = { readonly answers: number; readonly connections: number };

const connectionsMax = 50;
const together = 30;

async function run(url: URL, key: string, seconds: number): Promise<FloodReport> {
  const lines = [`GET ${url.pathname} HTTP/1.1`, `Host: ${url.host}`];
  if (key !== '') lines.push(`Authorization: Bearer ${key}`);
  const requests = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`.repeat(together));
  const untilMs = performance.now() + seconds * 1_000;
  let [answers, connections, open] = [0, 0, 0];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const start = (): void => {
    if (performance.now() >= untilMs) {
      if (open === 0) resolve();
      return;
    }
    connections += 1;
    open += 1;
    let answered = 0;
    const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true });
    socket.write(requests);
    socket.on('data', (chunk: Buffer) => {
      for (
        let at = chunk.indexOf('HTTP/1.1 ');
        at !== -1;
        at = chunk.indexOf('HTTP/1.1 ', at + 9)
      ) {
        answered += 1;
        answers += 1;
      }
      if (performance.now() >= untilMs) socket.destroy();
      else if (answered >= together) {
        answered = 0;
        socket.write(requests);
      }
    });
    // A reset is an end like any other.
    socket.on('error', () => {});
    socket.on('close', () => {
      open -= 1;
      start();
    });
  };
  for (let count = 0; count < connectionsMax; count += 1) start();
  setTimeout(resolve, seconds * 1_000 + 2_000).unref();
  await ended;
  return { answers, connections };
}

const [, , core = '1', url = '', key = '', seconds = ''] = process.argv;
execFileSync('taskset', ['-cp', core, `${process.pid}`]);
console.log(JSON.stringify(await run(new URL(url), key, Number(seconds))));
process.exit(0);
