export const customersAddress = '/app/customers';
export const customerAddress = (id: string): string => `${customersAddress}/${id}`;
/** What is read of customers is below this key. */
export const customersKey = (env: string): readonly string[] => [env, 'customers'];
