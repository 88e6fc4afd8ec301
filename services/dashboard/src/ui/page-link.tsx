import { Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { hasRoute } from './routes.ts';

/** Whether there is a page at an address, which the interface may name before it is built. */
export function useHasPage(): (address: string) => boolean {
  const { routesByPath } = useRouter();
  return (address) => hasRoute(Object.keys(routesByPath), address);
}

/** A link to an address that the interface gives; its text alone where there is no such page. */
export function PageLink({ to, className, children }: { to: string; className?: string | undefined; children: ReactNode }) {
  const hasPage = useHasPage();
  return hasPage(to) ? (
    <Link to={to} className={className}>
      {children}
    </Link>
  ) : (
    <span className={className}>{children}</span>
  );
}
