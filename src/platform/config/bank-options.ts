import { bankNames } from '../publication/data-set-kinds.ts';
import { folderUrl } from './address-option.ts';
import { namesOf } from './option.ts';

/** The settings of national banks: rows of the table in `options.ts`. */
export const bankOptions = {
  fxBanks: namesOf(bankNames, {
    name: 'FX_BANKS',
    default: '',
    means:
      'national banks whose exchange rates are fetched as well, for `/fx/nbp` (Poland), `/fx/cnb` (Czechia) and the invoices of these countries; empty for none',
  }),
  nbpUrl: folderUrl({
    name: 'NBP_URL',
    default: 'https://api.nbp.pl',
    means: 'address of the Polish national bank’s API, without a path',
  }),
  cnbUrl: folderUrl({
    name: 'CNB_URL',
    default: 'https://api.cnb.cz',
    means: 'address of the Czech national bank’s API, without a path',
  }),
} as const;
