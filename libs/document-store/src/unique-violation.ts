/** A unique index has these values for another document. Of a write the operations before it may be done; it and those behind it are not. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
}
