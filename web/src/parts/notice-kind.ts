/** The kind of a notice: `good` or `bad` news from a registry, a `problem` without an answer, or a `hint`. */
export type NoticeKind = 'good' | 'bad' | 'problem' | 'hint';
