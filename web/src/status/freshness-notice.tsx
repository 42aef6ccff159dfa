import type { JSX } from 'preact';
import type { DataSetKind } from '../../../src/platform/publication/data-set-kinds.ts';
import { Notice } from '../parts/notice.tsx';
import { routeTo } from '../route.ts';
import { useStatus } from '../session/service-status.tsx';
import { explainFreshness } from './status-words.ts';

/** Says above the newest data of a set that later data is missing or held. Nothing is shown if the data is fresh. */
export function FreshnessNotice({ of }: { readonly of: DataSetKind }): JSX.Element | null {
  const dataSet = useStatus().data?.dataSets[of];
  const explanation = dataSet === undefined ? undefined : explainFreshness(dataSet);
  if (explanation === undefined) return null;
  return (
    <Notice kind="problem" title={explanation.title}>
      <p>
        {explanation.advice} <a href={routeTo('status')}>Show the status</a>
      </p>
    </Notice>
  );
}
