import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';

/** A button whose action needs a confirmation, for which it opens a dialog. Escape closes the dialog. */
export function ConfirmButton(props: {
  readonly label: string;
  /** The thing that it is about, for screen readers, if the page has several such buttons. */
  readonly of?: string;
  /** The question of the dialog. */
  readonly question: string;
  /** The name of the button that confirms. */
  readonly confirmation: string;
  readonly onConfirm: () => void;
}): JSX.Element {
  const { label, of, question, confirmation, onConfirm } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {label}
        {of === undefined ? null : <span class="hidden"> {of}</span>}
      </button>
      <dialog ref={dialog} aria-label={label}>
        <p>{question}</p>
        <form method="dialog" class="dialog-tools">
          <button type="submit">Cancel</button>
          <button type="submit" class="primary" onClick={onConfirm}>
            {confirmation}
          </button>
        </form>
      </dialog>
    </>
  );
}
