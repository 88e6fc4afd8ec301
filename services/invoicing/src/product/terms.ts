import { nameTerms, type Terms } from '../terms/terms.ts';
import type { ProductState } from './domain/state.ts';

export const productTerms = ({ name }: ProductState): Terms => nameTerms('product', name);
