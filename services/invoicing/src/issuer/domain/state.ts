import type { Rounding } from '@svc/contracts/document/vocabulary';
import type { SeriesKind } from '@svc/contracts/issuer/series';
import type { AuthorityId } from '@svc/contracts/issuer/vocabulary';
import type { Address } from '../../customer/domain/state.ts';
import type { SeriesSettings } from '../../numbering/domain/settings.ts';
import type { DeviceFacts } from './devices.ts';

export interface Unit {
  code: string;
  address: Address | null;
  /** Codes of its tills. */
  devices: string[];
}

export interface Operator {
  code: string;
  name: string;
}

/** The issuer of one account in one environment. It always exists: by default it is `defaultIssuer`. */
export interface IssuerState {
  id: string;
  livemode: boolean;
  legal_name: string | null;
  trade_name: string | null;
  tax_id: string | null;
  vat_registered: boolean;
  address: Address | null;
  /** ISO 3166-1, two letters. */
  country: string | null;
  /** ISO 4217. */
  currency: string;
  /** IANA: the time zone of "today", report periods and number years. */
  time_zone: string;
  /** BCP 47. */
  language: string;
  /** Percent, decimal text. */
  default_tax_rate: string;
  prices_include_tax: boolean;
  rounding: Rounding;
  series: Record<SeriesKind, SeriesSettings>;
  units: Unit[];
  /** What is set of tills besides their codes in `units`. */
  devices: DeviceFacts[];
  operators: Operator[];
  software_code: string | null;
  /** Named by the records of a chain; null: none is needed yet. */
  installation: string | null;
  /** The scheme of VAT, in the words of the authority; null: the general one. */
  tax_regime: string | null;
  /** null: nothing can be submitted. */
  authority: AuthorityId | null;
  metadata: Record<string, string>;
  created_at: string;
  updated_at: string;
}
