import type { Clock } from '../../platform/time/time.ts';
import type { Timers } from '../../platform/time/timers.ts';
import type { VatNumber } from '../numbers/vat-number.ts';
import { ExchangeRecorder, type RecordedExchange } from '../registries/exchange-recorder.ts';
import type { QueryLimits, RegistryClient } from '../registries/registry-client.ts';
import {
  alone,
  type Question,
  type Registry,
  type RegistryResult,
} from '../registries/registry.ts';
import type { CallPace } from './call-pace.ts';
import type { Protection } from './protection.ts';

/** Asks one control question; undefined if it could not be made. */
export type AskControl = (
  vatNumber: VatNumber,
) => Promise<
  { readonly result: RegistryResult; readonly exchange: RecordedExchange | undefined } | undefined
>;

/** The control questions of a registry (rule M10). */
export type Controls = {
  /** Notes a number that the registry has answered as valid for a key. */
  readonly note: (keyId: string, vatNumber: VatNumber) => Promise<void>;
  /** Confirms that a registry answers which has found a number of a key not registered. */
  readonly confirm: (of: {
    readonly keyId: string;
    readonly question: Question;
    readonly ask: AskControl;
  }) => Promise<
    | {
        readonly kind: 'confirmed';
        readonly exchange: RecordedExchange | undefined;
        /** The number that was asked. */
        readonly number: string;
        /** Epoch milliseconds. */
        readonly askedAtMs: number;
      }
    | { readonly kind: 'failed' }
  >;
  /** Forgets what this process knows, because an operator has had a number deleted (rule K18). */
  readonly forget: () => void;
};

type Parts = {
  readonly registry: Registry;
  readonly client: Pick<RegistryClient, 'ask'>;
  readonly protection: Protection;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Left out for VIES. */
  readonly pace?: CallPace;
  /** Left out for a registry whose "no" needs no control question (rule M10). */
  readonly controls?: Controls;
};

/** A registry as this process asks it, with what only this registry has. */
export class AskedRegistry {
  readonly registry: Registry;
  readonly protection: Protection;
  readonly pace: CallPace | undefined;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.registry = parts.registry;
    this.protection = parts.protection;
    this.pace = parts.pace;
    this.#parts = parts;
  }

  /**
   * Asks once for a key, within `deadlineMs`, a control question included. A "no" that no control question confirms is a
   * failure of the registry.
   */
  async ask(
    question: Question,
    within: QueryLimits & { readonly keyId: string },
  ): Promise<RegistryResult> {
    const { client, controls, timers } = this.#parts;
    const endsAtMs = timers.now() + within.deadlineMs;
    const result = await client.ask(question, within);
    if (controls === undefined) return result;
    const { keyId } = within;
    if (result.isUnconfirmed !== true) {
      if (result.outcome.kind === 'answered' && result.outcome.answer.valid) {
        await controls.note(keyId, question.vatNumber);
      }
      return result;
    }
    const control = await controls.confirm({
      keyId,
      question,
      ask: async (vatNumber) => {
        const turn = await this.pace?.take(within.signal);
        const leftMs = endsAtMs - timers.now();
        if (turn?.kind === 'refused' || leftMs <= 0) return undefined;
        const recorder = new ExchangeRecorder(this.#parts.clock);
        const limits = { deadlineMs: leftMs, signal: within.signal, recorder };
        return { result: await client.ask(alone(vatNumber), limits), exchange: recorder.recorded };
      },
    });
    const { isUnconfirmed: _, ...answered } = result;
    if (control.kind === 'confirmed') return { ...answered, control: control.exchange };
    return { ...answered, outcome: { kind: 'serviceUnavailable', because: 'down' } };
  }
}
