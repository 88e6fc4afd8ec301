import { named } from './t.ts';

/** What an entry of the audit says was done: "API key created". */
export function showAction(action: string): string {
  const [type = '', verb = ''] = action.split('.');
  return `${named('audited', type)} ${named('was', verb)}`;
}
