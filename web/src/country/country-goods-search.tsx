import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import { TextField } from '../parts/text-field.tsx';
import { routeTo } from '../route.ts';

/** A search for the rate of goods or a service in a country; the view of goods answers it. */
export function CountryGoodsSearch(props: {
  readonly country: string;
  /** Undefined for the newest rates. */
  readonly date: string | undefined;
}): JSX.Element {
  const { country, date } = props;
  return (
    <section aria-labelledby="goods-title">
      <h2 id="goods-title">Goods and services</h2>
      <form
        class="search"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const q = event.currentTarget.querySelector('input')?.value.trim();
          location.hash = routeTo('goods', { country, q, date });
        }}
      >
        <TextField label="Goods or service" value="" maxLength={100} hintId="goods-search-hint" />
        <button type="submit" class="primary">
          Search
        </button>
      </form>
      <p id="goods-search-hint" class="hint">
        Words in English, such as books or hotel, or a code. Or see{' '}
        <a href={routeTo('goods', { country, date })}>
          all goods and services of {countryName(country)}
        </a>
        .
      </p>
    </section>
  );
}
