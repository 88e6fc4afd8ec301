# syntax=docker/dockerfile:1
# The image of one service: docker build --build-arg SERVICE=invoicing .
# A release names the base with its digest, node:24-slim@sha256:…
ARG BASE=node:24-slim

# What runs programs runs on the machine that builds, for whatever architecture the image is: the last stage only copies files.
FROM --platform=$BUILDPLATFORM $BASE AS base
WORKDIR /app

# What decides which packages are installed: a change of anything else keeps them.
FROM base AS manifests
COPY package.json package-lock.json ./
COPY libs libs
COPY services services
COPY rig rig
RUN find libs services rig -type f ! -name package.json -delete && find libs services rig -type d -empty -delete

# What the one service needs to run, and nothing of the other ones.
FROM base AS packages
ARG SERVICE
ARG TARGETARCH
COPY --from=manifests /app ./
RUN --mount=type=cache,target=/root/.npm cpu=$(echo "${TARGETARCH:-amd64}" | sed 's/^amd64$/x64/') \
  && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --os linux --cpu "$cpu" --workspace "services/$SERVICE"
RUN rm -r rig && rm -f node_modules/@svc/*-emulator
RUN for folder in libs/* services/*; do test -e "node_modules/@svc/${folder#*/}" || rm -r "$folder"; done
RUN find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete
# What is installed, as CycloneDX: nothing that a manifest names for other images or for development, no field that differs between two builds.
RUN npm pkg delete dependencies && npm pkg delete devDependencies --workspaces --include-workspace-root \
  && npm sbom --sbom-format cyclonedx --omit dev > sbom.json && sed '/"serialNumber":/d; /"timestamp":/d' sbom.json > sbom.cdx.json && rm sbom.json

FROM base AS build
COPY --from=manifests /app ./
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY . .
# All services at once: their images share this step.
RUN node tools/build.mjs

# The built files of the service and of its libraries, and the way to the program, which is the same in every image. The program is a bundle: the one process, too,
# needs nothing of what the other services have built.
FROM packages AS program
ARG SERVICE
COPY --from=build /app/libs built/libs
COPY --from=build /app/services built/services
RUN for folder in libs/* "services/$SERVICE"; do mkdir -p "own/$folder" && mv "built/$folder/dist" "own/$folder/"; done
RUN ln -s "services/$SERVICE" own/service && mkdir data
# The pages of the dashboard, which the gateway and the one process serve: files alone, nothing of their packages.
RUN if { [ "$SERVICE" = gateway ] || [ "$SERVICE" = standalone ]; } && [ -d built/services/dashboard/dist ]; then mkdir -p own/services/dashboard && mv built/services/dashboard/dist own/services/dashboard/; fi
# Programs keep their names, and a build of the same commit has the same source maps.
RUN find own -type f -name '*.map' -delete

FROM $BASE
WORKDIR /app
COPY --from=packages /app ./
COPY --from=program /app/own ./
COPY deploy/image/healthy.mjs ./
COPY deploy/image/svc /usr/local/bin/
# For what a process keeps in files, where it does: the only folder that it may write to.
COPY --from=program --chown=node:node /app/data data
USER node
ARG SERVICE
ARG BASE
ARG REVISION=unknown
ARG VERSION=unknown
# DATA_DIR is of the one process alone (SERVICE=standalone): mount a volume there.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/app/data RELEASE_VERSION=$VERSION RELEASE_COMMIT=$REVISION
LABEL org.opencontainers.image.title="$SERVICE" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.base.name="$BASE" \
  org.opencontainers.image.licenses="UNLICENSED"
EXPOSE 3000 3001
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --start-interval=1s CMD ["node", "healthy.mjs"]
# Node is the first process: it takes SIGTERM itself, and starts no other one. kafkajs' negative timers are without effect; tools/node-options.mjs says why the heap is kept small.
ENTRYPOINT ["node", "--max-semi-space-size=16", "--heap-growing-percent=150", "--disable-warning=TimeoutNegativeWarning", "service/dist/start.mjs"]
