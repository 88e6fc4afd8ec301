/** On every answer under /v1: it is for this caller at this moment alone, and it is what its Content-Type says. */
export const guardHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
