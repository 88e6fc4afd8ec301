interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): unknown;
}

/** The component library writes its styles as the HTML of style elements. Where a browser asks for a policy, this one lets through what holds no element. */
export function allowStyleTexts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createHTML(text) {
      if (/<(?![=\s\d])/.test(text)) throw new TypeError('markup is never written as a text');
      return text;
    },
  });
}
