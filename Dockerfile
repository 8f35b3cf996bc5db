# Digests go behind the tags: --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:…
# Node is the version all is tested with, the devDependency "node" of package.json.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
# A C library, certificates and a user, but no shell and no package manager.
ARG BASE_IMAGE=gcr.io/distroless/cc-debian12:nonroot

# Runs where it is built, for every architecture: the packages carry the addons of all of them.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# TypeScript is an optional peer of valibot for its types alone; nothing that runs is optional.
RUN npm ci --omit=dev --omit=optional --ignore-scripts
# Volumes that are mounted there belong to the user that the image has.
RUN mkdir --parents --mode=0700 /volumes/data

FROM ${NODE_IMAGE} AS node

FROM ${BASE_IMAGE}
ARG REVISION=""
LABEL org.opencontainers.image.title="dbpm-exporter" \
      org.opencontainers.image.description="Prometheus exporter with a memory for fleets of hosted Postgres projects behind a Database Project Management API v2" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.revision=$REVISION \
      org.opencontainers.image.licenses="Apache-2.0"
# One arena of memory for all threads, and larger blocks outside it, so that they are given back: it takes less.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=1 \
    MALLOC_MMAP_THRESHOLD_=32768 \
    MALLOC_TRIM_THRESHOLD_=65536 \
    DBPM_HISTORY_FILE=/data/dbpm.sqlite \
    SQLITE_TMPDIR=/data \
    DBPM_WEB_HEALTH_ADDRESS=127.0.0.1:10063 \
    DBPM_EXPORTER_REVISION=$REVISION
WORKDIR /app
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=dependencies --chown=65532:65532 /volumes/ /
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY bin bin
COPY src src
COPY dashboards/boards/*.json dashboards/boards/
COPY dashboards/promql.ts dashboards/
COPY dashboards/rules/*.ts dashboards/rules/
COPY docs/*.md docs/
USER 65532:65532
VOLUME /data
EXPOSE 10062
STOPSIGNAL SIGTERM
# Asked where neither TLS nor a login is, whatever the daemon serves elsewhere. A large history may take long to open.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30m \
  CMD ["/usr/local/bin/node", "-e", "fetch(process.env.DBPM_HEALTH_URL ?? `http://${process.env.DBPM_WEB_HEALTH_ADDRESS.replace(/^:/, 'localhost:')}/-/healthy`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/local/bin/node", "--disable-sigusr1", "bin/dbpm-exporter.cjs"]
