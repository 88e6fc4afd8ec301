/**
 * Of Node for every process of the product; the Dockerfile has the same. Two semi-spaces of 16 MiB in place of 64: a process takes a hundred MiB less under load,
 * for the same processor time.
 */
export const nodeOptions = ['--max-semi-space-size=16'];
