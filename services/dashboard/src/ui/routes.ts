/** Whether one of the routes, such as `/app/invoices/$id`, is the page of an address. */
export function hasRoute(routes: readonly string[], address: string): boolean {
  const parts = partsOf(address.split('?')[0] ?? '');
  return routes.some((route) => {
    const own = partsOf(route);
    return own.length === parts.length && own.every((part, n) => part.startsWith('$') || part === parts[n]);
  });
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');
