/** By the address of each page of the dashboard the picture for which `looksRight` looks at it. */
export const pictures: Readonly<Record<string, string>> = {
  '/app': 'today',
  '/app/settings/api-keys': 'api-keys',
  '/app/settings/api-keys/$id': 'api-key-rotate',
  '/app/settings/members': 'members',
  '/app/settings/general': 'general',
  '/app/settings/issuer': 'issuer',
  '/app/settings/authority': 'authority',
  '/app/settings/audit': 'audit',
  '/app/go-live': 'go-live',
  '/app/profile': 'profile',
  '/app/settings/requests': 'requests',
  '/app/settings/requests/$id': 'request',
  '/app/webhooks': 'webhooks',
  '/app/webhooks/$id': 'endpoint',
  '/app/webhooks/$id/deliveries/$whd': 'delivery',
  '/app/invoices': 'invoices',
  '/app/invoices/new': 'invoice-form',
  '/app/invoices/$id/edit': 'invoice-form-theirs',
  '/app/invoices/$id/credit': 'credit-form',
  '/app/invoices/$id': 'invoice',
  '/app/customers': 'customers',
  '/app/customers/$id': 'customer',
  '/app/products': 'products',
  '/app/products/$id': 'product',
  '/app/till': 'till-basket',
  '/app/reports': 'report-figures',
  '/app/reports/month-end': 'month-end',
  '/app/exports': 'exports',
  '/app/submissions': 'submissions',
  '/app/receipts': 'receipts',
  '/app/receipts/$id': 'receipt',
};

/** The page that a picture is of; undefined for one of a dialog, a state or a sign-in. */
export const pageOf = (picture: string): string | undefined => Object.keys(pictures).find((page) => pictures[page] === picture);

const FIELD = /\$\w+/g;
/** Whether an address is one of a page: `$id` in it is any part, but the name of a page beside it. */
export const isOf = (page: string, path: string): boolean => new RegExp(`^${page.replace(FIELD, '[^/]*_[^/]+')}$`).test(path);
