import { MantineProvider } from '@mantine/core';
import { ApiError } from '@svc/client/console';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { whenSessionChanges } from '../api/send.ts';
import { Asking } from '../session/asking.tsx';
import { sessionQuery } from '../session/session.ts';
import { Gate } from './gate.tsx';
import { nonce } from './nonce.ts';
import { theme, variables } from './theme.ts';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // An answer that says no says it again.
      retry: (times, error) => times < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status === 503),
    },
  },
});
whenSessionChanges(() => void queries.invalidateQueries(sessionQuery));

export const App = () => (
  <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto" getStyleNonce={nonce}>
    <QueryClientProvider client={queries}>
      <Gate />
      <Asking />
    </QueryClientProvider>
  </MantineProvider>
);
