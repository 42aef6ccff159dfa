import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Where the connection breaks: before the server gets COMMIT, after it has committed and before the client knows, or at once,
 * while COMMIT gets to the server later.
 */
export type Cut = 'before' | 'after' | 'under way';

export const cuts = ['before', 'after', 'under way'] as const;

type Wanted = {
  readonly cut: Cut;
  /** Part of a statement of the transactions whose COMMIT is cut. */
  readonly of: RegExp;
  left: number;
  /** Whether new connections are refused from the cut on. */
  readonly thenRefuse: boolean;
};

/** Time for which a COMMIT that is under way is held back: the client looks for the transaction meanwhile. */
const heldMs = 400;

/** A proxy before PostgreSQL that breaks connections at the COMMIT of chosen transactions. */
export class CommitProxy {
  /** The statements of the transactions whose COMMIT was cut. */
  readonly cutOff: string[] = [];
  readonly url: string;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #wanted: Wanted | undefined;
  #isRefusing = false;

  /** Opens a proxy before the server of an address; it is closed when the test ends. */
  static async open(url: string): Promise<CommitProxy> {
    const server = createServer((near) => proxy.#join(near));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { readonly port: number };
    const proxy = new CommitProxy(url, port);
    onTestFinished(async () => {
      for (const socket of proxy.#sockets) socket.destroy();
      await server[Symbol.asyncDispose]();
    });
    return proxy;
  }

  private constructor(url: string, port: number) {
    this.#target = new URL(url);
    this.url = Object.assign(new URL(url), { port: String(port) }).href;
  }

  /** Cuts the next COMMIT of a transaction with a statement like this, or so many. */
  cut(cut: Cut, of: RegExp, { times = 1, thenRefuse = false } = {}): void {
    this.#wanted = { cut, of, left: times, thenRefuse };
  }

  /** Accepts connections again. */
  heal(): void {
    this.#isRefusing = false;
  }

  #join(near: Socket): void {
    if (this.#isRefusing) {
      near.destroy();
      return;
    }
    const far = connect(Number(this.#target.port), this.#target.hostname);
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true).on('error', () => {});
      socket.on('close', () => this.#sockets.delete(socket));
    }
    near.on('close', () => far.end());
    far.on('close', () => near.destroy());
    far.on('data', (bytes) => near.write(bytes));
    const read = createReader();
    let statements: string[] = [];
    near.on('data', (bytes: Buffer) => {
      for (const { message, statement } of read(bytes)) {
        if (statement?.startsWith('begin')) statements = [];
        if (statement !== undefined) statements.push(statement);
        const wanted = statement === 'commit' ? this.#take(statements) : undefined;
        if (wanted === undefined) far.write(message);
        else void cutAt(wanted, { near, far, message });
      }
    });
  }

  #take(statements: readonly string[]): Cut | undefined {
    const wanted = this.#wanted;
    const text = statements.join(';\n');
    if (wanted === undefined || wanted.left === 0 || !wanted.of.test(text)) return undefined;
    wanted.left -= 1;
    this.cutOff.push(text);
    this.#isRefusing = wanted.thenRefuse;
    return wanted.cut;
  }
}

type Way = { readonly near: Socket; readonly far: Socket; readonly message: Buffer };

async function cutAt(cut: Cut, { near, far, message }: Way): Promise<void> {
  far.removeAllListeners('data');
  near.removeAllListeners('close');
  if (cut === 'before') far.destroy();
  if (cut !== 'after') near.destroy();
  if (cut === 'under way') await new Promise((resolve) => setTimeout(resolve, heldMs));
  if (cut !== 'before') {
    far.write(message);
    // The answer of the server: it has committed.
    await once(far, 'data');
    far.end();
  }
  near.destroy();
}

type Message = { readonly message: Buffer; readonly statement?: string };

/** Cuts what a client sends into messages; `statement` is the text of a Query (Q) or a Parse (P). The first has no type. */
function createReader(): (bytes: Buffer) => Message[] {
  let rest = Buffer.alloc(0);
  let isFirst = true;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const messages: Message[] = [];
    for (;;) {
      const offset = isFirst ? 0 : 1;
      const length = rest.length < offset + 4 ? Infinity : offset + rest.readUInt32BE(offset);
      if (rest.length < length) return messages;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      messages.push({ message, ...(isFirst ? {} : statementOf(message)) });
      isFirst = false;
    }
  };
}

function statementOf(message: Buffer): { readonly statement?: string } {
  const [type, ...texts] = [
    String.fromCharCode(message[0] ?? 0),
    ...message.toString('utf8', 5).split('\0'),
  ];
  if (type === 'Q') return { statement: texts[0] ?? '' };
  // The name of a prepared statement comes first.
  return type === 'P' ? { statement: texts[1] ?? '' } : {};
}
