# The image of the service. It runs the TypeScript sources directly; Node strips the types.
#
#     docker build -t vatfx .
#     docker run -p 127.0.0.1:8080:8080 -v vatfx:/data --read-only --tmpfs /tmp --init vatfx
#     docker run --rm -v vatfx:/data vatfx keys create --name me

FROM node:26-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# No package that runs in production needs an install script, so none is allowed to run.
RUN npm ci --omit=dev --ignore-scripts

# The console is built with development dependencies, which the final image does not contain.
FROM node:26-slim AS console
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY web web
# The console shares code with the service: country names, the form of keys, the parser of VAT numbers.
COPY src src
RUN node web/build.js

FROM node:26-slim
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=console /app/dist/web dist/web
COPY LICENSE openapi.json package.json reference.html ./
COPY bin bin
COPY src src
# All files except the data belong to root, so the service cannot change its own code.
RUN chmod 755 bin/vatfx.js \
  && ln -s /app/bin/vatfx.js /usr/local/bin/vatfx \
  && install -d -o 1000 -g 1000 /data

# With this working directory the default `file:./data/vatfx.db` is /data/vatfx.db. If the image set DATABASE_URL
# instead, every operator with a DATABASE_URL_FILE would have to unset it.
WORKDIR /
VOLUME /data
ENV HOST=0.0.0.0 OPS_HOST=0.0.0.0
EXPOSE 8080 9080
USER 1000:1000
STOPSIGNAL SIGTERM

# /live, not /ready: some supervisors restart unhealthy containers, and a restart does not bring a database back.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.OPS_PORT || 9080) + '/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

ENTRYPOINT ["node", "/app/bin/vatfx.js"]
CMD ["serve"]
