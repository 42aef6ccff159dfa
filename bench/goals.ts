/**
 * The goals of each question. No other file has one: the benches print these, `RESULTS.md` shows them beside the figures, and the
 * README takes both from there.
 */
export const goals = {
  P1: { ofBare: '≥ 0.8', ofNginx: '≥ 0.75' },
  P2: { ofBare: '≥ 0.8' },
  P3: { ofBare: '≥ 0.7' },
  P4: { p99OfBare: '≤ 1.2' },
  P5: { rates: '≥ 0.30', fx: '≥ 0.70' },
  P6: { p99: '≤ 5', cost: '≤ 1.2' },
  P7: { p50: '≤ 1', p99: '≤ 5' },
  P8: { commit: '≤ 50', cpu: '≤ 150 (parse)', block: '≤ 20' },
  P9: { cpu: '≤ 1200 (6.6 MB)', memory: '≤ 100' },
  P10: { rate: '≥ 4000', lastArrival: '≤ 3000' },
  P11: { ofTenKeys: '≥ 0.85', memory: '≤ 350' },
  P12: {
    start: '≤ 350',
    memory: '≤ 125',
    command: '≤ 200',
    installed: '≤ 20',
    startOfSources: '≤ 0.60',
    memoryOfSources: '≤ 0.87',
    commandOfSources: '≤ 0.40',
  },
  /** On a machine with a core for each process. */
  P13: { ofOne: '≥ 1.8' },
  P14: { cpu: '≤ 10' },
  P15: { post: '≤ 50', list: '≤ 20', memory: '≤ 50' },
  P16: { tenYears: '≤ 60', day: '≤ 2048' },
  P17: { memory: '≤ 20', statements: '≤ 101', woken: '≤ 200', wokenByOther: '≤ 1000' },
  P18: { fromMemory: '≥ 0.95', cold: '≤ 1.2' },
  /** Also that of P23: the answer has everything that both are about. */
  P20: { cpu: '≤ 1.5' },
  /** On two cores, in seconds and in minutes. */
  P21: { install: '≤ 30', tests: '≤ 2.5' },
  C26a: { p50: '≤ 3', p99: '≤ 1.5', log: '≤ 4' },
} as const;
