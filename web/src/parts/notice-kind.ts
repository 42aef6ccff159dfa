/** The kind of a notice: an answer that is good or bad news, a problem, or a hint. */
export type NoticeKind = 'good' | 'bad' | 'problem' | 'hint';
