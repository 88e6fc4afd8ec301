import { vocabulary } from './schema/vocabulary.ts';

/** What has to be fixed before what an authority has refused can be sent again. */
export const fixables = vocabulary('Fixable', ['data', 'credentials', 'setup']);
export type Fixable = (typeof fixables)[number];
