// Which folders of a project may import which: `npm test` reads it by dependency-cruiser. Imports of types count, tests do not.
import { join } from 'node:path';

/** The folders of invoicing, lowest first: each imports those before it. `|`: they do not know each other. */
const invoicing = [
  'clock|tax-ids|terms|projections|storage',
  'numbering',
  'customer|product',
  'issuer',
  'document',
  'files',
  'invoice|receipt',
  'consuming',
];

/** The folders of the dashboard, lowest first. Pages do not know each other. */
const dashboard = ['texts', 'format', 'api', 'ui', 'session', 'shell', 'pages/[^/]+|sign-in', 'app'];

const within = (folders) => `^services/invoicing/src/(${folders})/`;
const inPages = (folders) => `^services/dashboard/src/(${folders})/`;

export default {
  forbidden: [
    {
      name: 'circle-of-folders',
      comment: 'Move the file that both need into the lower folder, or into one of its own.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(libs|services)/[^/]+/src/' },
      to: { circular: true },
    },
    ...invoicing.flatMap((level, n) => [
      {
        name: 'upwards-in-invoicing',
        comment: `Of ${invoicing.join(' < ')} a folder imports those before it.`,
        severity: 'error',
        from: { path: within(level) },
        to: { path: within([...invoicing.slice(n + 1), 'none'].join('|')) },
      },
      {
        name: 'beside-in-invoicing',
        comment: `${level} do not know each other.`,
        severity: 'error',
        from: { path: within(level) },
        to: { path: within(level), pathNot: '^services/invoicing/src/$1/' },
      },
    ]),
    ...dashboard.map((level, n) => ({
      name: 'upwards-in-dashboard',
      comment: `Of ${dashboard.join(' < ')} a folder imports those before it.`,
      severity: 'error',
      from: { path: inPages(level) },
      to: { path: inPages([...dashboard.slice(n + 1), 'none'].join('|')) },
    })),
    {
      name: 'page-beside-page',
      comment: 'What two pages use is in ui/, session/ or shell/.',
      severity: 'error',
      from: { path: inPages('pages/[^/]+|sign-in') },
      to: { path: inPages('pages/[^/]+|sign-in'), pathNot: inPages('$1') },
    },
    {
      name: 'dashboard-knows-the-client',
      comment: 'Of this repository the dashboard imports the client alone, and nobody imports the dashboard.',
      severity: 'error',
      from: { path: '^services/dashboard/' },
      to: { path: '^(libs|services)/', pathNot: '^(libs/client|services/dashboard)/' },
    },
  ],
  options: {
    includeOnly: '^(libs|services)/[^/]+/src/',
    exclude: { path: ['\\.(spec|suite)\\.ts$', '/testing/', '^libs/testkit/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: join(import.meta.dirname, 'tsconfig.json') },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['@svc/source', 'import', 'node', 'default'] },
  },
};
