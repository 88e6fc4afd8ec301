import { root } from '../setup.mjs';
import { homeOf } from './homes.mjs';
import { releasedProjects } from './projects.mjs';

const projects = releasedProjects(root);
const home = (scope: string | null, ...files: string[]): string | undefined => homeOf({ scope, files, projects });
const all = 'invoicing-platform-chart';

test.each([
  ['the project that its scope names', 'reporting', ['services/gateway/src/a.ts', 'services/reporting/src/a.ts'], 'reporting'],
  ['not one that its files do not concern', 'reporting', ['services/gateway/src/a.ts'], 'gateway'],
  [
    'the service with most of its files',
    null,
    ['services/gateway/src/a.ts', 'services/invoicing/src/a.ts', 'services/invoicing/src/b.ts'],
    'invoicing',
  ],
  [
    'a service before its chart',
    null,
    ['services/gateway/src/a.ts', 'helm/gateway/values.yaml', 'helm/gateway/templates/a.yaml'],
    'gateway',
  ],
  ['the service that alone has a library in it', 'dashboard', ['services/dashboard/src/app/app.tsx'], 'gateway'],
  ['the chart of all services, for a library of many', 'kernel', ['libs/kernel/src/clock.ts'], all],
  [
    'the chart of all services, where libraries have more of its files than a service',
    'embedded',
    ['libs/embedded/src/engine.ts', 'libs/embedded/src/format.ts', 'services/authority-simulator/src/ledger.ts'],
    all,
  ],
  ['the chart of all services, for the one process', 'standalone', ['libs/service/src/a.ts', 'services/authority-simulator/src/a.ts'], all],
  [
    'the chart of all services, for alerts of many with a metric of one',
    'charts',
    ['helm/service-library/templates/_alerts.tpl', 'services/reporting/src/metrics.ts'],
    all,
  ],
  ['the chart of all services, where two have as many files', null, ['services/gateway/src/a.ts', 'services/invoicing/src/a.ts'], all],
  ['the chart of all services, for what all charts have in them', 'charts', ['helm/service-library/templates/_service.tpl'], all],
  ['the chart with its files', 'charts', ['helm/gateway/templates/service.yaml'], 'gateway-chart'],
  ['none, for what no image and no chart has in it', 'bench', ['bench/run.mjs'], undefined],
])('stands in the changelog of %s', (_what, scope, files, expected) => expect(home(scope, ...files)).toBe(expected));
