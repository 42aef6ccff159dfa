import type { Clock } from '../../../platform/time/time.ts';
import type { VatNumber } from '../../numbers/vat-number.ts';
import type { AskControl, Controls } from '../../calls/asked-registry.ts';
import type { Question } from '../registry.ts';
import type { ControlStore } from './control-store.ts';

/** A control question confirms answers that were received at most this long before it was asked. */
const confirmsMs = 60_000;

type Confirmation = Awaited<ReturnType<Controls['confirm']>>;

/** A control question of a key that is under way, and the next one, for which later answers wait. */
type Running = {
  readonly current: Promise<Confirmation>;
  next?: Promise<Confirmation>;
  /** Of the newest caller that waits for the next one: it has the most time left. */
  ask?: AskControl;
};

type Parts = {
  readonly clock: Clock;
  readonly store: Pick<ControlStore, 'list' | 'note' | 'drop'>;
  /** HMRC_CONTROL. */
  readonly ofOperator: VatNumber;
};

/**
 * The control questions that tell an answer of HMRC from a failure of its back end (rule M10).
 *
 * One that HMRC answers as valid confirms the "no" to every number of the same key that came before it was asked. Answers that
 * come while one is under way share the next. A control number is one that HMRC has answered as valid for the same key, or
 * else that of the operator; never the number that was asked.
 */
export class ControlQuestions implements Controls {
  readonly #parts: Parts;
  readonly #running = new Map<string, Running>();
  /** The newest control number of each key that this process has written. */
  readonly #noted = new Map<string, string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async note(keyId: string, { number }: VatNumber): Promise<void> {
    if (this.#noted.get(keyId) === number) return;
    const { store, clock } = this.#parts;
    await store.note(keyId, number, clock.now());
    if (this.#noted.size >= 10_000) this.#noted.clear();
    this.#noted.set(keyId, number);
  }

  forget(): void {
    this.#noted.clear();
  }

  async confirm({
    keyId,
    question,
    ask,
  }: {
    readonly keyId: string;
    readonly question: Question;
    readonly ask: AskControl;
  }): Promise<Confirmation> {
    const answeredAtMs = this.#parts.clock.now();
    // A control that is about this very number cannot confirm it, so such a question has controls of its own.
    const running = this.#running.get(keyId);
    if (running === undefined) return this.#begin(keyId, question, ask);
    running.ask = ask;
    running.next ??= running.current.then(async () =>
      this.#begin(keyId, question, running.ask ?? ask),
    );
    const shared = await running.next;
    const isOwn = shared.kind === 'confirmed' && shared.number !== question.vatNumber.number;
    if (isOwn && shared.askedAtMs - answeredAtMs <= confirmsMs) return shared;
    return shared.kind === 'failed' ? shared : this.#ask(keyId, question, ask);
  }

  async #begin(keyId: string, question: Question, ask: AskControl): Promise<Confirmation> {
    const running: Running = { current: this.#ask(keyId, question, ask) };
    this.#running.set(keyId, running);
    return running.current.finally(() => {
      if (this.#running.get(keyId) === running) this.#running.delete(keyId);
    });
  }

  async #ask(keyId: string, { vatNumber }: Question, ask: AskControl): Promise<Confirmation> {
    const { store, ofOperator, clock } = this.#parts;
    const known = (await store.list(keyId)).filter((number) => number !== ofOperator.number);
    for (const number of [...known, ofOperator.number]) {
      if (number === vatNumber.number) continue;
      const askedAtMs = clock.now();
      const asked = await ask({ registryCode: 'GB', number });
      const outcome = asked?.result.outcome;
      if (outcome?.kind !== 'answered') return { kind: 'failed' };
      if (outcome.answer.valid) {
        // The question may have waited for its turn.
        const { exchange } = asked ?? {};
        const sentAtMs = exchange?.requestedAt ?? askedAtMs;
        return { kind: 'confirmed', exchange, number, askedAtMs: sentAtMs };
      }
      // It has deregistered, or the back end of HMRC is down: the next one tells.
      await store.drop(keyId, number);
      if (this.#noted.get(keyId) === number) this.#noted.delete(keyId);
    }
    return { kind: 'failed' };
  }
}
