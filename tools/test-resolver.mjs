// Jest's resolver, with the bundled packages in place of their own files. By the file, not by the name: a package may have another version of one for itself.
import { testPackages } from './test-packages.mjs';

const bundled = testPackages();

export default (path, options) => {
  const file = options.defaultResolver(path, { ...options, defaultResolver: undefined });
  return bundled.get(file) ?? file;
};
