import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A request as the registry received it. */
export type ReceivedCheck = {
  /** Method and target of the first line. */
  readonly target: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly countryCode: string;
  readonly vatNumber: string;
};

type Respond = (socket: Socket, check: ReceivedCheck) => void;

/** A registry that sends exactly the bytes that a test gives it, and counts its sockets and its calls. */
export class RawRegistry {
  readonly url: string;
  readonly checks: ReceivedCheck[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, respond: Respond) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/vies`;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
      readChecks(socket, (check) => {
        this.checks.push(check);
        respond(socket, check);
      });
    });
  }

  static async start(respond: Respond = () => {}): Promise<RawRegistry> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RawRegistry(server, respond);
  }

  /** Count of the connections that are open now. */
  get openSockets(): number {
    return this.#sockets.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await this.#server[Symbol.asyncDispose]();
  }
}

/** An answer as bytes, with a Content-Length; it leaves the connection open. */
export function print(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const all = {
    'Content-Type': 'text/xml; charset=UTF-8',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  };
  return Buffer.concat([Buffer.from(printHead(status, all)), Buffer.from(body)]);
}

export function printHead(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Any\r\n${lines.join('')}\r\n`;
}

function readChecks(socket: Socket, onCheck: (check: ReceivedCheck) => void): void {
  let unread = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    unread += chunk;
    for (;;) {
      const headEnd = unread.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const [first = '', ...lines] = unread.slice(0, headEnd).split('\r\n');
      const headers = Object.fromEntries(lines.map(readHeader));
      const end = headEnd + 4 + Number(headers['content-length'] ?? 0);
      if (unread.length < end) return;
      const body = unread.slice(headEnd + 4, end);
      unread = unread.slice(end);
      const target = first.replace(/ HTTP\/1\.1$/, '');
      const [countryCode, vatNumber] = [textOf(body, 'countryCode'), textOf(body, 'vatNumber')];
      onCheck({ target, headers, body, countryCode, vatNumber });
    }
  });
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function textOf(body: string, name: string): string {
  return new RegExp(`<(?:\\w+:)?${name}>([^<]*)<`).exec(body)?.[1] ?? '';
}
