/** An error at the start that an operator can fix. Only its message is shown, which names the setting. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
