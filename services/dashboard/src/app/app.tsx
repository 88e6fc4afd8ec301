import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { Asking } from '../session/asking.tsx';
import { sessions } from '../session/session.ts';
import { Gate } from './gate.tsx';
import { nonce } from './nonce.ts';
import { theme, variables } from './theme.ts';

export const App = () => (
  <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto" getStyleNonce={nonce}>
    <QueryClientProvider client={sessions}>
      <Gate />
      <Asking />
    </QueryClientProvider>
  </MantineProvider>
);
