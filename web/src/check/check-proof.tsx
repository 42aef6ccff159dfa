import type { JSX } from 'preact';
import { Failed, isNotFound } from '../parts/failed.tsx';
import { saveFile } from '../parts/save-file.ts';
import { useLoad } from '../session/load.ts';
import { serviceAddress } from '../service-address.ts';
import type { Evidence } from '../wire.ts';
import { brusselsMoment } from './proof-words.ts';

/** The digests and the key of a check's evidence, and how to verify it without the service (rules K15 to K17). */
export function CheckProof(props: {
  /** The path of the check. */
  readonly path: string;
  readonly id: string;
}): JSX.Element | null {
  const { path, id } = props;
  const { data, failure, reload } = useLoad<Evidence>(`${path}/evidence`);
  if (failure !== undefined) {
    return isNotFound(failure) ? (
      <p class="hint">There is no evidence, because the registry was not queried.</p>
    ) : (
      <Failed failure={failure} onRetry={reload} />
    );
  }
  const file = `vatfx-evidence-${id}.json`;
  return (
    <section aria-labelledby="proof-title" class="evidence">
      <h2 id="proof-title">Evidence</h2>
      <dl class="facts">
        <dt>Check</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>Registry</dt>
        <dd>
          VIES <code>{data?.endpoint ?? '…'}</code>
        </dd>
        <dt>Queried</dt>
        <dd>{data === undefined ? '…' : momentOf(data.requestedAt)}</dd>
        <dt>Answered</dt>
        <dd>{data === undefined ? '…' : momentOf(data.answeredAt)}</dd>
        <dt>SHA-256 of the query</dt>
        <dd>
          <code>{data?.requestSha256 ?? '…'}</code>
        </dd>
        <dt>SHA-256 of the answer</dt>
        <dd>
          <code>{data?.responseSha256 ?? '…'}</code>
        </dd>
        <dt>Fingerprint of the key</dt>
        <dd>
          <code>{data?.keyId ?? '…'}</code>
        </dd>
      </dl>
      <p>
        The notice of VIES says that its information “does not in itself give a right to exempt
        intra-Community supplies from Value Added Tax”.
      </p>
      <p>
        The evidence file has the bytes of the query and of the answer, signed with this key. Save
        the public keys of this service from <code>{serviceAddress}/evidence/keys</code> as{' '}
        <code>keys.json</code>. Then verify the file without this service and without a network:
      </p>
      <pre tabIndex={0}>
        <code>vatfx evidence verify {file} --keys keys.json</code>
      </pre>
      <button
        type="button"
        disabled={data === undefined}
        onClick={() => data !== undefined && saveFile({ name: file, content: toFile(data) })}
      >
        Download the evidence
      </button>
    </section>
  );
}

/** A moment for a reader, and as the evidence has it. */
function momentOf(moment: string | null): string {
  return moment === null ? 'no answer' : `${brusselsMoment(moment)}; in the file ${moment}`;
}

/** The bytes of the service: evidence is canonical JSON, which is exactly what `JSON.stringify` prints (RFC 8785). */
function toFile(evidence: Evidence): Blob {
  return new Blob([JSON.stringify(evidence)], { type: 'application/json' });
}
