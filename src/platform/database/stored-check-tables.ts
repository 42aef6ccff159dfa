/** Types of the rows of stored VAT checks, a part of `Tables`. */
export interface StoredCheckTables {
  /** Stored VAT checks (rules K5 and K6). */
  vat_checks: {
    /** `vc_`, then the moment of the creation and random digits in hexadecimal: ids sort by their creation. */
    id: string;
    key_id: string;
    status: 'pending' | 'answered' | 'rejected' | 'expired';
    /** Country and number as the caller sent them. */
    country_code: string;
    vat_number: string;
    /**
     * Country and number as the registry is queried for them: `AT`, or `bzst:AT` for a check at the BZSt, which also answers
     * for numbers of VIES (`registry-code.ts`). The number is null if no registry can be queried for it, and the code as well
     * if no registry has the country.
     */
    registry_code: string | null;
    number: string | null;
    /** Both null if there is no requester. */
    requester_code: string | null;
    requester_number: string | null;
    /** JSON: the fields that are sent to the registry, in a fixed order; `{}` if there are none. */
    trader: string;
    hint: string | null;
    reference: string | null;
    batch_id: string | null;
    attempts: number;
    /** JSON: the reason why the newest attempt gave no answer; null if it gave one, or if there was none. */
    failure: string | null;
    /** The thing that the registry refuses; null unless the check is rejected. */
    refused: 'number' | 'requester' | null;
    /** The end of an attempt with a false answer that is not confirmed yet (rule K9). */
    unconfirmed_false_at: string | null;
    /** Null if the check has ended, or if the next attempt would be due after it expires. */
    next_attempt_at: string | null;
    /**
     * The moment from which a worker may claim it: that of its next attempt, or the end of its claim, because a replica of
     * version 0.2 does not know `claimed_until`. Null if no attempt is to come.
     */
    due_at: string | null;
    /** The claim of the attempt that is under way (`claims.ts`); null if none is. */
    claim: string | null;
    claimed_until: string | null;
    created_at: string;
    expires_at: string;
    ended_at: string | null;
    /** This and the columns below are null unless the check is answered. */
    valid: 0 | 1 | null;
    request_date: string | null;
    name: string | null;
    address: string | null;
    consultation_number: string | null;
    /** JSON: the match of each field that was sent. */
    trader_match: string | null;
    /** The first and the last day of the registration, if the registry names them (rule M6). */
    valid_from: string | null;
    valid_to: string | null;
    /** The watch that the check is made for; null for a check that a caller created. */
    watch_id: string | null;
    /** `maxAgeSeconds`: the age of an answer of its key that it may end with; 0 if it may not. */
    max_age_seconds: number;
    /** How often the registry's firewall refused its text, and nothing else (rule K21a). */
    text_refusals: number;
  };
  /** The block by the registry; no row before the first one. */
  registry_blocks: {
    /** `vies`. */
    registry: string;
    /** No call is made before this moment; null while there is no block. */
    blocked_until: string | null;
    /** How often it was opened since it was last closed. */
    openings: number;
    /** The words of `/status`. */
    reason: string;
    /** The newest question that the service asked for itself (rule K21a); null before the first one. */
    asked_at: string | null;
    /** Its result; null while it is under way. */
    verdict: 'answered' | 'refused' | 'silent' | null;
  };
  /** Calls to the registry by day, of all processes together (rule K21). */
  registry_calls: {
    /** The day in UTC. */
    day: string;
    background: number;
    /** Calls that a caller waited for. */
    callers: number;
    /**
     * The id of the last check whose expiry was prolonged because the budget of this day was used up; empty while none
     * was.
     */
    prolonged_to: string;
  };
  /** The part of these calls that a key has, or the operator and the service itself (rule K21b). */
  registry_key_calls: {
    day: string;
    key_id: string;
    background: number;
    callers: number;
    /** The same for the checks of the key, because its share of this day was used up. */
    prolonged_to: string;
  };
  /** VAT numbers that a key watches (rule K13). */
  vat_watches: {
    /** `vw_`, then the moment of the creation and random digits in hexadecimal. */
    id: string;
    key_id: string;
    /** Country and number as the caller sent them last. */
    country_code: string;
    vat_number: string;
    /** Country and number as the registry is queried for them. */
    registry_code: string;
    number: string;
    hint: string | null;
    every_days: number;
    /** Both null if there is no requester. */
    requester_code: string | null;
    requester_number: string | null;
    /** JSON, as in `vat_checks`. */
    trader: string;
    reference: string | null;
    /** The moment of its next check. */
    due_at: string;
    /** The claim of the process that creates its check (`claims.ts`); null if none does. */
    claim: string | null;
    claimed_until: string | null;
    /** The moment of the next check that its period gives; `due_at` may be before or after it. */
    slot_at: string;
    /**
     * The reason why the newest check that was due was not made, or the refusal of the registry since the newest answer;
     * null if there is none.
     */
    error: 'QUOTA_EXCEEDED' | 'INVALID_REQUESTER' | 'INVALID_INPUT' | null;
    /** The moment of the announced error since the newest answer; null if none was announced since then (rule K13). */
    failed_at: string | null;
    /** The newest check, in any status; null before the first one. The check may have been deleted. */
    last_check_id: string | null;
    /** The newest answer that counted; null before the first one. The check may have been deleted. */
    baseline_check_id: string | null;
    /** The first of the false answers that none has confirmed yet; null if there is none (rule K14). */
    unconfirmed_false_at: string | null;
    created_at: string;
  };
  /** The exchange with the registry of the newest attempt of a check: that which ended it, or failed last. */
  vat_check_exchanges: {
    check_id: string;
    url: string;
    /** Base64 of the bytes that were sent. */
    request: string;
    /** Base64 of the bytes that were received; empty if there were none. */
    response: string;
    requested_at: string;
    /** Null if the end of the response was not reached. */
    answered_at: string | null;
    /** JSON: the status of the response and its `Date`; null for VIES, whose bodies decide alone. */
    head: string | null;
    /** JSON: the exchange of the control question that confirms the answer; null if it needs none (rule M10). */
    control: string | null;
    /** The signed manifest, canonical JSON (rule K15). This and the columns below are null until the evidence is signed. */
    manifest: string | null;
    /** Base64. */
    signature: string | null;
    /** The key of `evidence_keys` that signed it. */
    evidence_key_id: string | null;
  };
  vat_check_batches: {
    id: string;
    key_id: string;
    /** Count of checks that it was created with. */
    checks: number;
    /** SHA-256 of the file of an operator's batch until all its answers are in the file for them; null for any other batch. */
    input_digest: string | null;
    created_at: string;
  };
  /** The `Idempotency-Key` headers of the last 24 hours (rule K4). */
  vat_check_idempotency: {
    key_id: string;
    idempotency_key: string;
    body_digest: string;
    /** The id of the check or of the batch that was created. */
    check_id: string;
    created_at: string;
  };
  /** The registry of each Member State, as far as all processes share what is known about it. */
  vat_registries: {
    /** `*` is the row that paces the attempts of all of them together, `hmrc` and `bzst` are those of other registries. */
    registry_code: string;
    /** The newest fault in a stored check; null if there was none. */
    faulted_at: string | null;
    /**
     * The moment from which the next background attempt may begin, or the next call to a registry other than VIES; null if
     * there was none.
     */
    background_at: string | null;
    /** JSON: the newest day in UTC with a call to a registry other than VIES, and its calls of that day; null for VIES. */
    calls_of_day: string | null;
  };
  /** Numbers that a registry has answered as valid, for control questions of the same key (rule M10). */
  registry_controls: {
    registry: string;
    key_id: string;
    number: string;
    answered_at: string;
  };
}
