import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Failed } from '../parts/failed.tsx';
import { NumbersField } from './numbers-field.tsx';
import { changeParams } from '../route.ts';
import { CountryField } from './country-field.tsx';
import { noExtras, withoutSent } from './extras.ts';
import { FileField } from './file-field.tsx';
import { RequestExtras } from './request-extras.tsx';
import { type Order, prepareOrder } from './order.ts';
import { isCsv, readNumbers, type UnreadPart } from './read-numbers.ts';
import { UnreadParts } from './unread-parts.tsx';
import { useSubmission } from './use-submission.ts';

/** The form that checks one number, a list, or a CSV file. */
export function CheckForm(props: {
  /** Whether the page shows one check below. It is left as soon as the visitor writes another number. */
  readonly isShowingCheck: boolean;
}): JSX.Element {
  const [text, setText] = useState('');
  const [country, setCountry] = useState('');
  const [extras, setExtras] = useState(noExtras);
  const [fault, setFault] = useState('');
  const [unread, setUnread] = useState<readonly UnreadPart[]>([]);
  const { failure, isSending, send } = useSubmission();

  const edit = (next: string): void => {
    setText(next);
    setFault('');
    setUnread([]);
    if (props.isShowingCheck) changeParams({ id: undefined });
  };

  const submit = async (order: Order): Promise<void> => {
    if (order.kind === 'refused') {
      setFault(order.fault);
      setUnread(order.unread);
      return;
    }
    setFault('');
    const skipped = await send(order.request);
    if (skipped === undefined) return;
    const lines = text.split('\n');
    const left = [
      ...order.unread,
      ...skipped.map(({ line, reason }) => ({ line, text: lines[line - 1] ?? '', fault: reason })),
    ];
    // Nothing is lost: neither parts that were not checked, nor what was written meanwhile. Rows of CSV keep their heading.
    const heading =
      isCsv(text) && left.length > 0 ? [lines.find((line) => line.trim() !== '')] : [];
    const rest = [...heading, ...left.map((part) => part.text)].join('\n');
    setText((now) => (now === text ? rest : now));
    setUnread(left);
    setExtras((now) => withoutSent(now, extras));
  };

  const check = (): void => {
    if (!isSending) void submit(prepareOrder({ text, country, extras }));
  };

  return (
    <form
      class="check-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        check();
      }}
    >
      <NumbersField
        text={text}
        hint={fault === '' ? describe(text, country) : fault}
        isFault={fault !== ''}
        onEdit={edit}
        onEnter={check}
      />
      <UnreadParts parts={unread} />
      <div class="controls">
        <CountryField value={country} onChoose={setCountry} />
        <button type="submit" class="primary" aria-disabled={isSending}>
          {isSending ? 'Checking …' : 'Check'}
        </button>
        <FileField onRead={edit} onFail={setFault} />
      </div>
      <RequestExtras extras={extras} onChange={setExtras}>
        ; that is possible for one number, or in the columns of a CSV file.
      </RequestExtras>
      {failure === undefined ? null : <Failed failure={failure} onRetry={check} />}
    </form>
  );
}

/** The sentence below the field: how to write numbers, or the count of those in it. */
function describe(text: string, country: string): string {
  if (isCsv(text)) return 'A CSV file with a heading: the service reads its columns.';
  const { numbers, repeatedCount } = readNumbers(text, country);
  if (numbers.length < 2) {
    return 'One number, a list with a number on each line, or a CSV file. Enter checks; Shift and Enter begin another line.';
  }
  const repeated = repeatedCount === 0 ? '' : ` ${repeatedCount} more are repeated.`;
  return `${numbers.length} numbers.${repeated}`;
}
