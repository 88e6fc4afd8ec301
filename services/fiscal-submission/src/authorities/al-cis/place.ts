import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { decimal, numberText } from '@svc/kernel';
import { money } from './lines.ts';

/** Where a document was issued, by the authority's codes. */
export interface Place {
  unit: string;
  device: string;
  operator: string;
  /** The amount in the till when it is opened (decimal text). */
  opening: string;
}

/** The document says it itself, else it is of the issuer's first. Tills have the code that the authority gave them. */
export function placeOf({ document, issuer }: RegistrationRequested): Place {
  const own: { unit?: string | null; device?: string | null; operator?: string | null } = 'device' in document ? document : {};
  const [first] = issuer.units ?? [];
  const unit = own.unit ?? first?.code ?? '';
  const device = own.device ?? (issuer.units?.find(({ code }) => code === unit) ?? first)?.devices?.[0] ?? '';
  const registered = issuer.devices?.find(({ code }) => code === device);
  return {
    ...{ unit, device: registered?.authority_code ?? device, operator: own.operator ?? issuer.operators?.[0]?.code ?? '' },
    opening: money(decimal(numberText(registered?.initial_amount ?? 0))),
  };
}
