import { useEffect, useState } from 'preact/hooks';
import { changeParams } from '../route.ts';
import type { Failure } from '../session/failure.ts';
import { keepColumns } from './answers-file.ts';
import { type Extras, noExtras, withoutSent } from './extras.ts';
import { leftOf, type Order, prepareOrder } from './order.ts';
import type { UnreadPart } from '../../../src/vat-check/reading/read-numbers.ts';
import { type NumbersState, useNumbers } from './use-numbers.ts';
import { useSubmission } from './use-submission.ts';

/** The content of the form, and what came of its last request. */
export type CheckFormState = {
  readonly numbers: NumbersState;
  readonly extras: Extras;
  /** A sentence; '' if there is none. */
  readonly fault: string;
  /** Lines of the last request that were not checked, and are still in the field. */
  readonly left: readonly UnreadPart[];
  readonly failure: Failure | undefined;
  readonly isSending: boolean;
  readonly isFolded: boolean;
  readonly unfold: () => void;
  readonly edit: (text: string) => void;
  readonly open: (bytes: Uint8Array) => void;
  readonly changeExtras: (extras: Extras) => void;
  readonly setFault: (fault: string) => void;
  readonly check: () => void;
};

/** The state of the form that checks numbers. `shown` is the check or the list that the page shows. */
export function useCheckForm(shown: string | undefined): CheckFormState {
  const numbers = useNumbers({ sendsFiles: true });
  const [extras, setExtras] = useState(noExtras);
  const [fault, setFault] = useState('');
  const [left, setLeft] = useState<readonly UnreadPart[]>([]);
  const [isUnfolded, setUnfolded] = useState(false);
  const { failure, isSending, send } = useSubmission();
  useEffect(() => setUnfolded(false), [shown]);

  const forget = (): void => {
    setFault('');
    setLeft([]);
    // A verdict must not be taken for that of the number that is written now. A list names its numbers.
    changeParams({ id: undefined });
  };
  const edit = (next: string): void => {
    numbers.edit(next);
    forget();
  };
  const open = (bytes: Uint8Array): void => {
    numbers.open(bytes);
    forget();
  };

  const submit = async (order: Order): Promise<void> => {
    setFault(order.kind === 'refused' ? order.fault : '');
    setLeft(order.kind === 'refused' ? order.unread : []);
    if (order.kind === 'refused') return;
    const created = await send(order.request);
    if (created === undefined) return;
    const skipped = 'skipped' in created ? created.skipped : [];
    if ('skipped' in created) keepColumns(created, numbers.written);
    // Nothing is lost: neither lines that were not checked, nor what was written meanwhile.
    const rest = leftOf(numbers.written, order.unread, skipped);
    numbers.edit(rest.text, numbers.written.text);
    setLeft(rest.lines);
    setExtras((now) => withoutSent(now, extras));
    setUnfolded(false);
  };

  return {
    numbers,
    extras,
    fault,
    left,
    failure,
    isSending,
    isFolded: shown !== undefined && !isUnfolded,
    unfold: () => setUnfolded(true),
    edit,
    open,
    changeExtras: setExtras,
    setFault,
    check: () => {
      if (!isSending) void submit(prepareOrder({ ...numbers.written, extras }));
    },
  };
}
