import { findRedis } from './programs.ts';
import { ServerProcess } from './server-process.ts';

/** A Redis of a test's own, empty, on a free port of this machine; it keeps nothing on any disk. */
export class RedisServer {
  readonly #process: ServerProcess;

  /** Starts a server; the caller stops it. `findRedis()` says if there is one. */
  static async start(options: readonly string[] = []): Promise<RedisServer> {
    const program = findRedis();
    if (program === undefined) throw new Error('redis-server is not installed');
    const fixed = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp'];
    const command = (port: number): readonly string[] => [
      program,
      '--port',
      String(port),
      ...fixed,
      ...options,
    ];
    return new RedisServer(await ServerProcess.start({ command }));
  }

  private constructor(process: ServerProcess) {
    this.#process = process;
  }

  get port(): number {
    return this.#process.port;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async kill(): Promise<void> {
    await this.#process.kill();
  }

  /** Stops it: connections stay open, and it answers nothing until `resume`. */
  pause(): void {
    this.#process.pause();
  }

  resume(): void {
    this.#process.resume();
  }

  /** Starts it on the same port, empty, after the end of the one before. */
  async restart(): Promise<void> {
    await this.#process.kill();
    await this.#process.start();
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }
}
