import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Defect, Verdict } from './defect.ts';

const script = fileURLToPath(new URL('./run.ts', import.meta.url));

/** Builds with defects, or the unchanged one, whose tests run in another process (`run.ts`). */
export class JudgedBuilds {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #verdicts = new Map<string, PromiseWithResolvers<Verdict>>();

  constructor(build: 'broken' | 'whole', wanted: readonly Defect[]) {
    for (const { name } of wanted) this.#verdicts.set(name, Promise.withResolvers());
    this.#child = fork(script, [build, ...this.#verdicts.keys()], {
      execArgv: [],
      // Small counts, and no figures: figures are about the unchanged product.
      env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], CI: process.env['CI'] },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let complaint = '';
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    this.#child.on('message', (message) => {
      const verdict = message as Verdict;
      this.#verdicts.get(verdict.name)?.resolve(verdict);
    });
    this.#ended = new Promise((resolve) => this.#child.once('close', resolve));
    void this.#ended.then((code) => {
      for (const { promise, reject } of this.#verdicts.values()) {
        promise.catch(() => {});
        reject(new Error(`the tests ended with ${String(code)}, without a verdict: ${complaint}`));
      }
    });
  }

  /** Waits for the verdict on a build. */
  async of({ name }: Defect): Promise<Verdict> {
    const verdict = this.#verdicts.get(name);
    if (verdict === undefined) throw new Error(`${name} is not among them`);
    return verdict.promise;
  }

  /** Waits for the end of the process, which follows the last verdict. */
  async stop(): Promise<void> {
    await this.#ended;
  }
}
