/** The token of a one-time link, taken out of the address at once, so that neither the history nor a shared address has it. */
let token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
if (token !== undefined) history.replaceState(null, '', location.pathname + location.search);

export const linkToken = (): string | undefined => token;
/** It is tried once: who signs out later is not asked again. */
export const dropLinkToken = (): void => void (token = undefined);
