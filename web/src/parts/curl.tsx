import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';
import { printCurl } from './curl-command.ts';

/** A request as a command, with a button that copies it. */
export function Curl({ path }: { readonly path: string }): JSX.Element {
  const code = useRef<HTMLElement>(null);
  const text = printCurl(path);
  return (
    <div class="curl" role="group" aria-label="The same request with curl">
      <pre tabIndex={0}>
        <code ref={code}>{text}</code>
      </pre>
      <CopyButton text={text} of="the curl command" shownIn={code} />
    </div>
  );
}
