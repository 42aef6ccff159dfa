import type { JSX } from 'preact';

/** One button of a switch. */
export type Choice = {
  readonly name: string;
  readonly isChosen: boolean;
  readonly isDisabled?: boolean;
  readonly onChoose: () => void;
};

/** A row of buttons, of which the chosen one is marked. */
export function Switch(props: {
  /** The name of the row for screen readers. */
  readonly label: string;
  readonly choices: readonly Choice[];
}): JSX.Element {
  return (
    <div class="switch" role="group" aria-label={props.label}>
      {props.choices.map(({ name, isChosen, isDisabled, onChoose }) => (
        <button
          type="button"
          key={name}
          aria-pressed={isChosen}
          disabled={isDisabled}
          onClick={onChoose}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
