# The image of the service: its bundle and Node, without `node_modules`.
#
#     docker build -t vatfx:0.3.0 .
#     docker run -d --name vatfx -p 127.0.0.1:8080:8080 -v vatfx:/data --read-only --tmpfs /tmp --init --memory 256m \
#       --stop-timeout 35 --restart unless-stopped \
#       --log-driver local --log-opt max-size=50m --log-opt max-file=5 --log-opt mode=non-blocking vatfx:0.3.0
#     docker exec vatfx vatfx keys create --name me
#
# docs/install-container.md explains each option.

# The bundle of the service, with its libraries, and the console. The final image contains neither the sources nor the
# packages that they are made with.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No package that is needed here has an install script that must run.
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY scripts scripts
COPY web web
COPY src src
# The console shares code with the client: the parser of VAT numbers, the types of answers.
COPY client/src client/src
# The commit that `vatfx --version` prints; the build context has no .git.
ARG VATFX_COMMIT
RUN npm run -s build

# Node without npm, other package managers, C headers and documents. A scanner reports no vulnerability of npm.
FROM node:26-slim AS bare
RUN rm -rf /usr/local/lib/node_modules /usr/local/include /usr/local/share/doc /usr/local/share/man /opt/yarn* \
    /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg \
    /usr/local/CHANGELOG.md /usr/local/README.md

# A copy of its files: an image keeps all files of the layers below it, also deleted ones.
FROM scratch AS node
COPY --from=bare / /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

FROM node
WORKDIR /app
COPY --from=build /app/dist dist
COPY LICENSE openapi.json package.json reference.html ./
COPY bin bin
COPY deploy/health.sh deploy/
# All files except the data belong to root, so the service cannot change its own code. OpenShift runs a container as a
# random user of group 0.
RUN chmod 755 bin/vatfx.js deploy/health.sh \
  && ln -s /app/bin/vatfx.js /usr/local/bin/vatfx \
  && ln -s /app/deploy/health.sh /usr/local/bin/vatfx-health \
  && install -d -m 770 -o 1000 -g 0 /data

# With this working directory the default `file:./data/vatfx.db` is /data/vatfx.db. If the image set DATABASE_URL
# instead, every operator with a DATABASE_URL_FILE would have to unset it.
WORKDIR /
VOLUME /data
# Every address, IPv6 and IPv4; on a machine without IPv6 vatfx listens on 0.0.0.0.
# Half of the container's memory for the heap, of the server and of each command. Node itself takes at least 262 MB.
# SIGUSR1 opens no debugger, also in the first moment of a process, in which vatfx does not handle it yet.
ENV HOST=:: OPS_HOST=:: NODE_OPTIONS="--max-old-space-size-percentage=50 --disable-sigusr1"
EXPOSE 8080 9080
USER 1000:1000
STOPSIGNAL SIGTERM

# /live, not /ready: some supervisors restart unhealthy containers, and a restart does not bring a database back.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["vatfx-health", "/live"]

ENTRYPOINT ["node", "/app/bin/vatfx.js"]
CMD ["serve"]
