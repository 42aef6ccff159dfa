import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { serviceAddress } from '../service-address.ts';

/** The curl command for a path. The key is a shell variable, so that the copied command does not contain it. */
function printCurl(path: string): string {
  // A path may have a part of the address that a visitor was sent, and encodeURIComponent leaves quotes as they are.
  const url = `${serviceAddress}${path}`.replaceAll("'", '%27');
  return `curl -H "Authorization: Bearer $KEY" '${url}'`;
}

/** A request as a command, with a button that copies it. */
export function Curl({ path }: { readonly path: string }): JSX.Element {
  const code = useRef<HTMLElement>(null);
  const [message, setMessage] = useState('');
  const text = printCurl(path);
  const copy = async (): Promise<void> => {
    setMessage((await copyText(text, code.current)) ? 'Copied' : 'Selected: press Ctrl+C to copy');
    setTimeout(() => setMessage(''), 2_500);
  };
  return (
    <div class="curl" role="group" aria-label="The same request with curl">
      <pre tabIndex={0}>
        <code ref={code}>{text}</code>
      </pre>
      <button type="button" onClick={() => void copy()}>
        Copy<span class="hidden"> the curl command</span>
      </button>
      <span class="curl-message" role="status">
        {message}
      </span>
    </div>
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
