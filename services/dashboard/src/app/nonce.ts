/** The nonce of this page's answer, which its style elements need. */
export const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
