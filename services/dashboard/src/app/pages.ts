/** Every page by its address. It is loaded when it is shown, or a link to it is pointed at. */
export const pages = {
  '/app': () => import('../pages/today/page.tsx'),
  '/app/settings/api-keys': () => import('../pages/api-keys/page.tsx'),
  '/app/settings/api-keys/$id': () => import('../pages/api-keys/key-page.tsx'),
  '/app/settings/members': () => import('../pages/members/page.tsx'),
  '/app/settings/general': () => import('../pages/general/page.tsx'),
  '/app/settings/audit': () => import('../pages/audit/page.tsx'),
  '/app/go-live': () => import('../pages/go-live/page.tsx'),
  '/app/profile': () => import('../pages/profile/page.tsx'),
  '/app/settings/requests': () => import('../pages/requests/page.tsx'),
  '/app/settings/requests/$id': () => import('../pages/requests/request-page.tsx'),
  '/app/webhooks': () => import('../pages/webhooks/page.tsx'),
  '/app/webhooks/$id': () => import('../pages/webhooks/endpoint-page.tsx'),
  '/app/webhooks/$id/deliveries/$whd': () => import('../pages/webhooks/delivery-page.tsx'),
} as const;
