import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';

/** What a terminal needs to get the same answer; the key stays a placeholder. */
export function printCurl(path: string): string {
  return `curl -H "Authorization: Bearer $VATFX_KEY" '${location.origin}${path}'`;
}

/** The request behind what is on the screen, to be copied. */
export function Curl({ path }: { readonly path: string }): JSX.Element {
  const code = useRef<HTMLElement>(null);
  const [told, setTold] = useState('');
  const text = printCurl(path);
  const copy = async (): Promise<void> => {
    setTold((await copyText(text, code.current)) ? 'Copied' : 'Marked: press Ctrl+C to copy');
    setTimeout(() => setTold(''), 2_500);
  };
  return (
    <div class="curl" role="group" aria-label="The same by curl">
      <pre tabIndex={0}>
        <code ref={code}>{text}</code>
      </pre>
      <button type="button" onClick={() => void copy()}>
        Copy<span class="hidden"> the curl command</span>
      </button>
      <span class="curl-told" role="status">
        {told}
      </span>
    </div>
  );
}

/** Browsers give the clipboard only to pages that came by HTTPS or from this machine. */
async function copyText(text: string, shownIn: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (shownIn !== null) getSelection()?.selectAllChildren(shownIn);
    return false;
  }
}
