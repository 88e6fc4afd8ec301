/** Headers of every response under /v1: it must not be cached, and browsers must not guess its type. */
export const guardHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
