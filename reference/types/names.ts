/** Schemas of the document whose types have another name, or no type (null), because no method of the client has them. */
const typeNames: Readonly<Record<string, string | null>> = {
  BankFxOfTaxPoint: 'BankTaxPointRates',
  BankPublication: 'BankSnapshot',
  CreatedBatch: 'NewBatch',
  CreatedSubscription: 'NewSubscription',
  DatedChangeList: 'DatedChanges',
  DeliveryList: 'DeliveryPage',
  Error: null,
  FxOfCustoms: 'CustomsRates',
  FxOfIoss: null,
  FxOfOss: 'ReturnRates',
  FxOfTaxPoint: 'TaxPointRates',
  NewBatch: null,
  NewStoredCheck: 'CheckInput',
  NewSubscription: 'SubscriptionInput',
  NewWatch: 'WatchInput',
  Run: 'RunStatus',
  Status: 'ServiceStatus',
  StoredCheckList: 'CheckPage',
  VatCheckResult: 'VatCheck',
  VatRatesList: null,
  WatchList: 'WatchPage',
};

/** Types of parts of schemas: where one of these parts is, and what it is. */
export const parts: Readonly<Record<string, readonly [place: string, description: string]>> = {
  Allowance: ['Usage.callsPerDay', 'A limit of a key, and its use.'],
  BankName: ['BankPublication.bank', 'A national bank.'],
  CheckStatus: ['StoredCheck.status', 'The status of a stored check.'],
  CountryAndVatNumber: ['NewStoredCheck.requester', 'A VAT number with its country.'],
  DeliveryStatus: ['Delivery.status', 'The status of a delivery.'],
  EventType: ['Subscription.events.items', 'A type of events that a subscription may name.'],
  FixedRate: [
    'FxOfOss.fixed.additionalProperties',
    'The irrevocable rate of a currency that became the euro.',
  ],
  Match: ['StoredCheck.traderMatch.name', 'Whether data of a trader is that of the register.'],
  RateTreatment: ['CategoryRow.treatment', 'How a supply is taxed; `CategoryRow` explains each.'],
  Trader: ['NewStoredCheck.trader', 'The data of a customer that the registry compares.'],
};

/** Types of objects that methods of the client take: they have the parameters of these operations. */
export const queries: Readonly<Record<string, readonly string[]>> = {
  CategoryQuery: ['findCategoriesOfDate', 'findCategories'],
  ChangeQuery: ['listChanges'],
  CheckQuery: ['listChecks'],
  DateSpan: ['listRateDates'],
  DeliveryQuery: ['listDeliveries'],
  ErrataQuery: ['listErrata'],
  EventQuery: ['listEvents'],
  FxRangeQuery: ['getFxRange'],
  TerritoryQuery: ['listTerritories'],
  WatchQuery: ['listWatches'],
};

/** The name of the type of a schema; null if it has none. */
export function typeNameOf(schema: string): string | null {
  const name = typeNames[schema];
  return name === undefined ? schema : name;
}
