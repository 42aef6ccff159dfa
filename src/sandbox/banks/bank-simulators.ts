import type { IsoDate } from '../../platform/time/time.ts';
import type { BankName } from '../scenario/bank-script.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { BankSimulator } from './bank-simulator.ts';
import { cnbFacts } from './cnb.ts';
import { nbpFacts } from './nbp.ts';

/** The simulated national banks by their names. */
export type BankSimulators = Readonly<Record<BankName, BankSimulator>>;

/** Creates the simulated banks; `historyFrom` is the first day of their histories. */
export function createBanks(scenario: Scenario, historyFrom: IsoDate | undefined): BankSimulators {
  return {
    nbp: new BankSimulator(nbpFacts, scenario, historyFrom),
    cnb: new BankSimulator(cnbFacts, scenario, historyFrom),
  };
}
