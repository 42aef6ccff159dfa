import type { BankName } from '../../platform/publication/data-set-kinds.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import { eachBank } from '../scenario/bank-script.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { BankSimulator, type BankFacts } from './bank-simulator.ts';
import { cnbFacts } from './cnb.ts';
import { nbpFacts } from './nbp.ts';

/** The simulated national banks. */
export const bankFacts: Readonly<Record<BankName, BankFacts>> = { nbp: nbpFacts, cnb: cnbFacts };

/** The simulated national banks by their names. */
export type BankSimulators = Readonly<Record<BankName, BankSimulator>>;

/** Creates the simulated banks; `historyFrom` is the first day of their histories. */
export function createBanks(scenario: Scenario, historyFrom: IsoDate | undefined): BankSimulators {
  return eachBank((name) => new BankSimulator(bankFacts[name], scenario, historyFrom));
}
