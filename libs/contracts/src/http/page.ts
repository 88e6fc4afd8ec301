import { About, IsWhole, Optional } from '../schema/decorators/index.ts';
import { vocabulary } from '../schema/vocabulary.ts';

/** Validation fills in both defaults. */
export class PageQuery {
  @About('Page number, from 1.') @Optional() @IsWhole({ min: 1, max: 1_000_000_000, default: 1 }) page: number;
  @About('Items per page.') @Optional() @IsWhole({ min: 1, max: 100, default: 20 }) per_page: number;
}

/** The values of `sort`: each field and its descending form (`-field`). */
export const sortable = (...fields: string[]): string[] => fields.flatMap((field) => [field, `-${field}`]);

export const catalogSorts = vocabulary('CatalogSort', sortable('created_at', 'name'));
export type CatalogSort = `${'' | '-'}${'created_at' | 'name'}`;

export const CREATED_FROM = 'Created on or after this day (in the issuer’s time zone) or moment (RFC 3339, cut to milliseconds).';
export const CREATED_TO = 'Created on or before this day (in the issuer’s time zone) or moment (RFC 3339, cut to milliseconds).';
