// What something was built from and by whom: the predicate of SLSA's provenance, version 1.

/**
 * BUILDER_ID names who builds, by a URI.
 * @param {{ kind: 'image' | 'chart', name: string, version: string, commit: string, base?: string | undefined }} of `commit`: of the sources; `base`: `node:24-slim@sha256:…`
 */
export function provenance({ kind, name, version, commit, base }) {
  const [baseName, baseDigest] = base?.split('@sha256:') ?? [];
  return {
    buildDefinition: {
      buildType: `urn:invoicing-platform:${kind}:1`,
      externalParameters: { kind, name, version },
      internalParameters: {},
      resolvedDependencies: [
        { uri: 'urn:invoicing-platform:sources', digest: { gitCommit: commit } },
        ...(base ? [{ uri: `docker://${baseName}`, digest: { sha256: baseDigest } }] : []),
      ],
    },
    runDetails: { builder: { id: process.env.BUILDER_ID || 'urn:invoicing-platform:release' } },
  };
}
