import { bytesAsAnswer } from '../../../platform/upstream/bytes-as-answer.ts';
import type { RegistryAnswer } from '../../registries/outcome.ts';
import { type RegistryName, registries } from '../../registries/registries.ts';
import type { KeptExchange, Question } from '../../registries/registry.ts';

/** The registry's answer as read again from the bytes that were received. */
export type ReceivedReply =
  | {
      readonly kind: 'answered';
      readonly answer: RegistryAnswer;
      /** A false answer that is one only with the answer to a control question (rule M10). */
      readonly isUnconfirmed: boolean;
    }
  | {
      readonly kind: 'fault';
      /** As the registry wrote it: `MS_UNAVAILABLE`. */
      readonly text: string;
      /** Whether the registry refuses the number or the requester; undefined if it refuses neither. */
      readonly refused: 'number' | 'requester' | undefined;
    }
  /** Nothing, a part of an answer, an answer about another number, or something else, such as a web page. */
  | { readonly kind: 'unreadable'; readonly reason: string };

const refusals = { rejected: 'number', requesterRejected: 'requester' } as const;

/** Reads the bytes of a response with the function that has read them from the registry. */
export async function readReceivedReply(
  name: RegistryName,
  { response, head }: KeptExchange,
  question: Question,
): Promise<ReceivedReply> {
  if (response.length === 0 && head === undefined) {
    return { kind: 'unreadable', reason: 'there is no response' };
  }
  const received = bytesAsAnswer(response, { upstream: name, operation: 'response' }, head);
  try {
    const {
      outcome,
      fault,
      isUnconfirmed = false,
    } = await registries[name].answer(received, question);
    if (outcome.kind === 'answered') {
      return { kind: 'answered', answer: outcome.answer, isUnconfirmed };
    }
    if (fault === undefined) {
      const isOther = outcome.kind === 'failed' && outcome.failure === 'otherNumber';
      const about = isOther ? 'is about another number than the query' : 'says nothing';
      return { kind: 'unreadable', reason: `the answer ${about}` };
    }
    const isRefusal = outcome.kind === 'rejected' || outcome.kind === 'requesterRejected';
    return {
      kind: 'fault',
      text: fault,
      refused: isRefusal ? refusals[outcome.kind] : undefined,
    };
  } catch (error) {
    return { kind: 'unreadable', reason: error instanceof Error ? error.message : String(error) };
  }
}
