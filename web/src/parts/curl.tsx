import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { serviceAddress } from '../service-address.ts';
import { CopyButton } from './copy-button.tsx';

/** The curl command for a path. The key is a shell variable, so that the copied command does not contain it. */
function printCurl(path: string): string {
  // A path may have a part of the address that a visitor was sent, and encodeURIComponent leaves quotes as they are.
  const url = `${serviceAddress}${path}`.replaceAll("'", '%27');
  return `curl -H "Authorization: Bearer $KEY" '${url}'`;
}

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
