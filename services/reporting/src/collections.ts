import { BLOCKS, BLOCK_SUMS } from './postings/block.ts';
import { EPOCHS } from './postings/epoch.ts';
import { HELD_EVENTS } from './postings/held-event.ts';
import { ISSUER_ZONES } from './postings/issuer-zone.ts';
import { KNOWN_DOCUMENTS } from './postings/known-document.ts';
import { PARTIES, PARTY_COPIES } from './postings/party.ts';
import { RAISED_NUMBERS } from './postings/raised-numbers.ts';
import { POSTINGS } from './postings/posting.ts';

/**
 * The collections of this service besides its groups' dead letters. A backup holds the `source` ones; a restore skips the `rebuilt`
 * ones, which follow from events.
 */
export const collections = {
  database: 'svc_reporting',
  source: [],
  rebuilt: [
    ...[POSTINGS, KNOWN_DOCUMENTS, HELD_EVENTS, EPOCHS, PARTIES, PARTY_COPIES, RAISED_NUMBERS, ISSUER_ZONES, BLOCKS, BLOCK_SUMS],
    'noted_time',
  ],
};
