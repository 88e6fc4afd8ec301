const money = { anyOf: [{ type: 'number' }, { type: 'string', maxLength: 30 }] };
const item = {
  type: 'object',
  required: ['description', 'unit_price'],
  additionalProperties: false,
  properties: { description: { type: 'string', maxLength: 2000 }, quantity: money, unit_price: money, tax_rate: money },
};
export const invoiceBody = {
  type: 'object',
  required: ['customer_id', 'items'],
  additionalProperties: false,
  properties: {
    customer_id: { type: 'string', maxLength: 255 },
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    notes: { type: 'string', maxLength: 2000 },
    items: { type: 'array', minItems: 1, maxItems: 500, items: item },
  },
};
export const invoiceAnswer = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    object: { type: 'string' },
    status: { type: 'string' },
    created_at: { type: 'string' },
    total: { type: 'number' },
    customer_id: { type: 'string' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          description: { type: 'string' },
          quantity: { type: 'number' },
          unit_price: { type: 'number' },
          tax_rate: { type: 'number' },
          amount: { type: 'number' },
        },
      },
    },
  },
};

/** The schema of a resource like this one; what is null may be a string. */
export function schemaOfValue(value) {
  if (value === null) return { type: ['string', 'null'] };
  if (Array.isArray(value)) return { type: 'array', items: value.length > 0 ? schemaOfValue(value[0]) : {} };
  if (typeof value !== 'object') return { type: typeof value };
  const properties = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, schemaOfValue(field)]));
  return { type: 'object', properties, additionalProperties: Object.keys(value).length === 0 };
}
