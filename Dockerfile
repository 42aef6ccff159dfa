# The service as an image. It runs its TypeScript sources as they are; Node takes the types away.
#
#     docker build -t vatfx .
#     docker run -p 127.0.0.1:8080:8080 -v vatfx:/data --read-only --tmpfs /tmp --init vatfx
#     docker run --rm -v vatfx:/data vatfx keys create --name me

FROM node:26-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Nothing that runs in production needs an install script, so none may run.
RUN npm ci --omit=dev --ignore-scripts

# The console is built with what is for development only.
FROM node:26-slim AS console
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY web web
# It reads VAT numbers as the service does.
COPY src/vat-check src/vat-check
RUN node web/build.js

FROM node:26-slim
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=console /app/dist/web dist/web
COPY LICENSE openapi.json package.json reference.html ./
COPY bin bin
COPY src src
# Everything but the data belongs to root: the service cannot change itself.
RUN chmod 755 bin/vatfx.js \
  && ln -s /app/bin/vatfx.js /usr/local/bin/vatfx \
  && install -d -o 1000 -g 1000 /data

# From here the default `file:./data/vatfx.db` is /data/vatfx.db. As a setting of the image it would have to
# be emptied by everybody who gives DATABASE_URL_FILE.
WORKDIR /
VOLUME /data
ENV HOST=0.0.0.0 OPS_HOST=0.0.0.0
EXPOSE 8080 9080
USER 1000:1000
STOPSIGNAL SIGTERM

# Is it alive: some supervisors restart what is not healthy, which helps nobody while a database is away.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.OPS_PORT || 9080) + '/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

ENTRYPOINT ["node", "/app/bin/vatfx.js"]
CMD ["serve"]
