/** The token of a one-time link, taken out of the address at once, so that neither the history nor a shared address has it. */
function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  if (token !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

export const linkToken = takeToken();
