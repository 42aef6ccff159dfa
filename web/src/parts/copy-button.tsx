import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

/** A button that copies a text, and a message that says so. */
export function CopyButton(props: {
  readonly text: string;
  /** The name of the copied text for screen readers: “the curl command”. */
  readonly of: string;
  /** The element that shows the text. It is selected if the browser forbids the clipboard. */
  readonly shownIn: { readonly current: Element | null };
}): JSX.Element {
  const { text, of, shownIn } = props;
  const [message, setMessage] = useState('');
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(text, shownIn.current);
    setMessage(isCopied ? 'Copied' : 'Selected: press Ctrl+C to copy');
    setTimeout(() => setMessage(''), 2_500);
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        Copy<span class="hidden"> {of}</span>
      </button>
      <span class="copy-message" role="status">
        {message}
      </span>
    </>
  );
}

/** Copies a text. If the browser forbids the clipboard, as for pages without HTTPS, it selects the text and returns false. */
async function copyText(text: string, shownIn: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (shownIn !== null) getSelection()?.selectAllChildren(shownIn);
    return false;
  }
}
