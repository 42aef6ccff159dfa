import { sha256 } from '../../platform/values/digest.ts';
import { dayMs } from '../../platform/time/time.ts';
import { falseConfirmedAfterMs } from './transition.ts';

/** Confirmations of false answers are spread over this time. */
const confirmedWithinMs = 10 * 60_000;

/** A number from 0, inclusive, to 1, exclusive, that depends on the id alone. */
export function fractionOf(id: string): number {
  return parseInt(sha256(id).slice(0, 8), 16) / 2 ** 32;
}

/**
 * The moment of the second check of a watch, in epoch milliseconds: in the second half of the period that begins now.
 * The fraction of the watch decides the place in it, so that watches which are created together are spread over half a period.
 */
export function firstSlot(id: string, nowMs: number, everyDays: number): number {
  return nowMs + Math.ceil(everyDays * dayMs * (0.5 + 0.5 * fractionOf(id)));
}

/** The first slot of a watch after a moment. Slots are whole periods apart, however late a check was made. */
export function slotAfter(slotMs: number, nowMs: number, everyDays: number): number {
  const periodMs = everyDays * dayMs;
  const passed = slotMs > nowMs ? 0 : Math.floor((nowMs - slotMs) / periodMs) + 1;
  return slotMs + passed * periodMs;
}

/** The moment from which a second false answer confirms the first one, spread over ten minutes. */
export function confirmationOf(id: string, falseAtMs: number): number {
  return falseAtMs + falseConfirmedAfterMs + Math.ceil(fractionOf(id) * confirmedWithinMs);
}
