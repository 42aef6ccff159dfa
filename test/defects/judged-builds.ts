import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Defect, Verdict } from './defect.ts';

const script = fileURLToPath(new URL('./run.ts', import.meta.url));

/** The builds with some defects, or the whole one, while their tests run in a process beside this one (`run.ts`). */
export class JudgedBuilds {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #verdicts = new Map<string, PromiseWithResolvers<Verdict>>();

  constructor(build: 'broken' | 'whole', wanted: readonly Defect[]) {
    for (const { name } of wanted) this.#verdicts.set(name, Promise.withResolvers());
    this.#child = fork(script, [build, ...this.#verdicts.keys()], {
      execArgv: [],
      // Counts as of a commit, and no figures: those are of the product.
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

  /** Waits for what its test said of a build. */
  async of({ name }: Defect): Promise<Verdict> {
    const verdict = this.#verdicts.get(name);
    if (verdict === undefined) throw new Error(`${name} is not among them`);
    return verdict.promise;
  }

  /** Waits for its end: it ends by itself when it has judged all of them. */
  async stop(): Promise<void> {
    await this.#ended;
  }
}
