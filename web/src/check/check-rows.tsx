import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import type { StoredCheck } from '../wire.ts';
import { datedMoment } from '../words.ts';
import { explainCheck, explainPending, hintInWords, numberInWords } from './check-words.ts';

/** A list of checks, each with its result and a link to its proof. */
export function CheckRows(props: {
  readonly checks: readonly StoredCheck[];
  readonly hrefOf: (check: StoredCheck) => string;
}): JSX.Element {
  const { checks, hrefOf } = props;
  return (
    <ul class="checks">
      {checks.map((check) => (
        <CheckRow key={check.id} check={check} href={hrefOf(check)} />
      ))}
    </ul>
  );
}

function CheckRow(props: { readonly check: StoredCheck; readonly href: string }): JSX.Element {
  const { check, href } = props;
  const { kind, title } = explainCheck(check);
  const hint = hintInWords(check);
  return (
    <li class="check">
      <a class="check-number" href={href}>
        {numberInWords(check)}
      </a>
      <span class={`check-result result-${kind}`}>{title}</span>
      <span class="check-about">
        {aboutCheck(check)}
        {hint === undefined ? null : <span class="check-hint"> · {hint}</span>}
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

/** The second line: the customer, by the name that was sent and that of the registry, and why there is no answer. */
function aboutCheck(check: StoredCheck): string {
  const { name, trader, countryCode, status } = check;
  const own = trader?.name ?? undefined;
  const names = [...new Set([own, name ?? undefined].filter((one) => one !== undefined))];
  if (status === 'pending') return [...names, explainPending(check)].join(' · ');
  return names.length === 0 ? countryName(countryCode.toUpperCase()) : names.join(' · ');
}
