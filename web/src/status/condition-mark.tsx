import type { JSX } from 'preact';
import type { Condition } from './status-words.ts';

const signs: Readonly<Record<Condition['kind'], string>> = { good: '✓', bad: '!', unknown: '·' };

/** A condition as a sign and in words. Screen readers read the words only. */
export function ConditionMark({ condition }: { readonly condition: Condition }): JSX.Element {
  const { kind, text } = condition;
  return (
    <span class={`condition condition-${kind}`}>
      <span class="condition-sign" aria-hidden="true">
        {signs[kind]}
      </span>
      {text}
    </span>
  );
}
