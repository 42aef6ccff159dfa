import type { JSX } from 'preact';
import { absentInWords } from '../../../src/vat-check/registries/absent-words.ts';
import { countryName } from '../countries.ts';
import type { StoredCheck } from '../wire.ts';
import { datedMoment } from '../words.ts';
import {
  explainUncompared,
  hintInWords,
  matchInWords,
  numberInWords,
  requestDateInWords,
  traderFields,
} from './check-words.ts';

/** Everything that a check has: the query, the answer, and the customer's data with the matches. */
export function CheckFacts({ check }: { readonly check: StoredCheck }): JSX.Element {
  const { status, valid, requestDate, consultationNumber, requester, reference } = check;
  const hint = hintInWords(check);
  const uncompared = explainUncompared(check);
  return (
    <dl class="facts">
      <Fact name="Number">
        {numberInWords(check)} ({countryName(check.countryCode.toUpperCase())})
      </Fact>
      {hint === undefined ? null : <Fact name="Remark">{hint}</Fact>}
      {valid === true ? (
        <>
          <Fact name="Name">{check.name ?? <Absent check={check} what="name" />}</Fact>
          <Fact name="Address" kind="address">
            {check.address ?? <Absent check={check} what="address" />}
          </Fact>
        </>
      ) : null}
      {status === 'answered' ? (
        <>
          <Fact name="Date of the check">{requestDateInWords(requestDate ?? '')}</Fact>
          <Fact name="Consultation number">
            {consultationNumber ?? <span class="none">none was given</span>}
          </Fact>
        </>
      ) : null}
      <Fact name="Requester">
        {requester === null ? <span class="none">none</span> : numberInWords(requester)}
      </Fact>
      <Customer check={check} />
      {uncompared === undefined ? null : <Fact name="Name and address">{uncompared}</Fact>}
      {reference === null ? null : <Fact name="Reference">{reference}</Fact>}
      <Fact name="Created">{datedMoment(check.createdAt)}</Fact>
      {check.answeredAt === null ? null : <Fact name="Ended">{datedMoment(check.answeredAt)}</Fact>}
      {check.nextAttemptAt === null ? null : (
        <Fact name="Next attempt">{datedMoment(check.nextAttemptAt)}</Fact>
      )}
    </dl>
  );
}

function Fact(props: {
  readonly name: string;
  readonly kind?: string;
  readonly children: JSX.Element | string | (JSX.Element | string)[];
}): JSX.Element {
  return (
    <>
      <dt>{props.name}</dt>
      <dd class={props.kind}>{props.children}</dd>
    </>
  );
}

/** A name or an address that the answer does not have. Whether it was compared stands beside the data that was sent. */
function Absent(props: {
  readonly check: StoredCheck;
  readonly what: 'name' | 'address';
}): JSX.Element {
  return <span class="none">{absentInWords(props.what, props.check.trader)}</span>;
}

/** The data of the customer that was sent, each field with the registry's comparison. */
function Customer({ check }: { readonly check: StoredCheck }): JSX.Element | null {
  const { trader, traderMatch, status } = check;
  if (trader === null) return null;
  return (
    <>
      {traderFields.map(([field, name]) => {
        const value = trader[field];
        if (value === null) return null;
        const match = traderMatch?.[field] ?? null;
        return (
          <Fact key={field} name={`Customer: ${name}`}>
            {value}{' '}
            {status === 'answered' ? (
              <strong class={`match match-${match ?? 'none'}`}>({matchInWords(match)})</strong>
            ) : (
              ''
            )}
          </Fact>
        );
      })}
    </>
  );
}
