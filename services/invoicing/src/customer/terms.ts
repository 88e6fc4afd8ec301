import { nameTerms, taxIdTerm, type Terms } from '../terms/terms.ts';
import type { CustomerState } from './domain/state.ts';

export const customerTerms = ({ id, personal, erased_at }: CustomerState): Terms => ({
  ...(personal && { subject: id, ...nameTerms('customer', personal.name), ...taxIdTerm(personal.tax_id) }),
  ...(erased_at !== null && { erased: true as const }),
});
