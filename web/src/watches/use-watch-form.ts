import { useState } from 'preact/hooks';
import { type Extras, fieldsOfNumber, noExtras, readExtras, withoutSent } from '../check/extras.ts';
import { leftOf } from '../check/order.ts';
import type { UnreadPart } from '../../../src/vat-check/reading/read-numbers.ts';
import { type NumbersState, useNumbers } from '../check/use-numbers.ts';
import type { Failure } from '../session/failure.ts';
import { useApi } from '../session/session.ts';
import { putWatch, usualDays } from './watch-request.ts';

/** The content of the form, and what came of its last request. */
export type WatchFormState = {
  readonly numbers: NumbersState;
  readonly everyDays: string;
  readonly extras: Extras;
  /** A sentence; '' if there is none. */
  readonly fault: string;
  /** Lines that are not watched, and are still in the field. */
  readonly left: readonly UnreadPart[];
  readonly failure: Failure | undefined;
  /** Numbers that the service watches already; undefined while nothing is sent. */
  readonly sentCount: number | undefined;
  readonly edit: (text: string) => void;
  readonly open: (bytes: Uint8Array) => void;
  readonly setEveryDays: (days: string) => void;
  readonly setExtras: (extras: Extras) => void;
  readonly setFault: (fault: string) => void;
  readonly add: () => void;
};

/** The state of the form that watches numbers, one request for each. `onAdded` is called when some are watched. */
export function useWatchForm(onAdded: () => void): WatchFormState {
  const api = useApi();
  const numbers = useNumbers({ sendsFiles: false });
  const [everyDays, setEveryDays] = useState(String(usualDays));
  const [extras, setExtras] = useState(noExtras);
  const [fault, setFault] = useState('');
  const [left, setLeft] = useState<readonly UnreadPart[]>([]);
  const [failure, setFailure] = useState<Failure>();
  const [sentCount, setSentCount] = useState<number>();

  const send = async (): Promise<void> => {
    const { written, understood } = numbers;
    const shared = readExtras(extras);
    setFailure(undefined);
    setLeft([]);
    if (shared.kind === 'refused') return setFault(shared.fault);
    if (understood.numbers.length === 0) return setFault('No VAT number can be read.');
    if (understood.numbers.length > 1 && shared.fields.trader !== undefined) {
      return setFault('The data of a customer belongs to one number.');
    }
    setFault('');
    for (const [at, { trader, reference, ...number }] of understood.numbers.entries()) {
      setSentCount(at);
      const outcome = await putWatch(api, number, {
        everyDays: Number(everyDays),
        ...fieldsOfNumber(shared.fields, { trader, reference }),
      });
      if (outcome.kind === 'failed') {
        setSentCount(undefined);
        setFailure(outcome.failure);
        // The text stays: a number that is watched twice is one watch.
        if (at > 0) onAdded();
        return;
      }
    }
    setSentCount(undefined);
    const rest = leftOf(written, understood.unread, []);
    numbers.edit(rest.text, written.text);
    setLeft(rest.lines);
    setExtras((now) => withoutSent(now, extras));
    onAdded();
  };

  return {
    numbers,
    everyDays,
    extras,
    fault,
    left,
    failure,
    sentCount,
    edit: (text) => {
      numbers.edit(text);
      setFault('');
      setLeft([]);
    },
    open: (bytes) => {
      numbers.open(bytes);
      setFault('');
      setLeft([]);
    },
    setEveryDays,
    setExtras,
    setFault,
    add: () => {
      if (sentCount === undefined) void send();
    },
  };
}
