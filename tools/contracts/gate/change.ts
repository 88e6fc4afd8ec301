/** A change that breaks a client. */
export interface Change {
  id: string;
  text: string;
  operation?: string;
  path?: string;
}
