/** A start that an operator can mend: shown by its message alone, which names the setting. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
