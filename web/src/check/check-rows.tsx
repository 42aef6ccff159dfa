import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import { routeTo } from '../route.ts';
import type { StoredCheck } from '../wire.ts';
import { datedMoment } from '../words.ts';
import { explainCheck, explainPending, hintInWords, numberInWords } from './check-words.ts';

/** A list of checks, each with its result and a link to its proof. */
export function CheckRows(props: {
  readonly checks: readonly StoredCheck[];
  /** The parameters of the list, which the links keep. */
  readonly address: Readonly<Record<string, string>>;
}): JSX.Element {
  const { checks, address } = props;
  return (
    <ul class="checks">
      {checks.map((check) => (
        <CheckRow
          key={check.id}
          check={check}
          href={routeTo('check', { ...address, id: check.id })}
        />
      ))}
    </ul>
  );
}

function CheckRow(props: { readonly check: StoredCheck; readonly href: string }): JSX.Element {
  const { check, href } = props;
  const { kind, title } = explainCheck(check);
  return (
    <li class="check">
      <a class="check-number" href={href}>
        {numberInWords(check)}
      </a>
      <span class={`check-result result-${kind}`}>{title}</span>
      <span class="check-about">
        {aboutCheck(check)}
        {check.hint === null ? null : (
          <span class="check-hint"> · {hintInWords(check.hint, check)}</span>
        )}
      </span>
      <span class="check-moment hint">
        {check.reference === null ? null : (
          <span class="check-reference">{check.reference} · </span>
        )}
        <time dateTime={check.createdAt}>{datedMoment(check.createdAt)}</time>
      </span>
    </li>
  );
}

/** The second line of a row: the name, or why there is no answer. */
function aboutCheck(check: StoredCheck): string {
  if (check.status === 'pending') return explainPending(check);
  return check.name ?? countryName(check.countryCode.toUpperCase());
}
