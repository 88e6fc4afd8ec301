import type { DocumentStore } from '@svc/document-store';
import { blockIndexes, BLOCKS, BLOCK_SUMS, sumTexts } from './block.ts';
import type { Ledger } from './context.ts';
import { EPOCHS } from './epoch.ts';
import { HELD_EVENTS, heldEventIndexes } from './held-event.ts';
import { ISSUER_ZONES, issuerZoneIndexes } from './issuer-zone.ts';
import { KNOWN_DOCUMENTS, knownDocumentIndexes } from './known-document.ts';
import { PARTIES, PARTY_COPIES } from './party.ts';
import { RAISED_NUMBERS, raisedIndexes } from './raised-numbers.ts';
import { postingIndexes, POSTINGS } from './posting.ts';

/** Opens the collections; `documents` is this service's own database. */
export const openLedger = (documents: DocumentStore): Ledger => ({
  postings: documents.collection(POSTINGS, { indexes: postingIndexes }),
  known: documents.collection(KNOWN_DOCUMENTS, { indexes: knownDocumentIndexes }),
  held: documents.collection(HELD_EVENTS, { indexes: heldEventIndexes }),
  epochs: documents.collection(EPOCHS, { mostlyRead: true }),
  parties: documents.collection(PARTIES),
  copies: documents.collection(PARTY_COPIES),
  zones: documents.collection(ISSUER_ZONES, { indexes: issuerZoneIndexes }),
  raised: documents.collection(RAISED_NUMBERS, { indexes: raisedIndexes }),
  blocks: documents.collection(BLOCKS, { indexes: blockIndexes }),
  sums: documents.collection(BLOCK_SUMS, { texts: sumTexts }),
});
