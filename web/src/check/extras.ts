/** Fields that a visitor may add to a check; '' if a field is left out. */
export type Extras = {
  readonly requester: string;
  readonly reference: string;
  readonly name: string;
  readonly street: string;
  readonly postcode: string;
  readonly city: string;
  readonly companyType: string;
};

export const noExtras: Extras = {
  requester: '',
  reference: '',
  name: '',
  street: '',
  postcode: '',
  city: '',
  companyType: '',
};
