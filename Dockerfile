FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# TypeScript is an optional peer of valibot for its types alone; nothing that runs is optional.
RUN npm ci --omit=dev --omit=optional

FROM node:24-slim
ARG REVISION=""
ENV NODE_ENV=production \
    DBPM_HISTORY_FILE=/data/dbpm.sqlite \
    DBPM_EXPORTER_REVISION=$REVISION
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=dependencies /app/node_modules node_modules
COPY bin bin
COPY src src
COPY dashboards/boards/*.json dashboards/boards/
COPY dashboards/promql.ts dashboards/
COPY dashboards/rules/*.ts dashboards/rules/
RUN mkdir --mode=0700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 10062
STOPSIGNAL SIGTERM
# The image has no curl; Node itself asks. With another --web.listen-address, set DBPM_HEALTH_URL to match.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch(process.env.DBPM_HEALTH_URL ?? 'http://127.0.0.1:10062/-/healthy').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-sigusr1", "bin/dbpm-exporter.cjs"]
