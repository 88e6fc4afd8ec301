import { useIssuer } from '../../documents/issuer.ts';

const none = { currency: 'EUR', prices_include_tax: false, rounding: 'line' as const, default_tax_rate: null };

/** What a form begins with: the issuer's currency, way of prices and tax. Undefined while it is read; `none` for who may not read it. */
export function useDefaults() {
  const { issuer, canRead, error, refetch } = useIssuer();
  return { defaults: canRead ? issuer : none, error, refetch };
}
