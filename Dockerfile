# An image with the commands of Quartz:
#
#   docker build --tag quartz .
#   docker run --rm --volume "$PWD:/work" quartz quartz-opt in.qasm --gate-set nam --output out.qasm
#
# scripts/check_image.sh lints this file, and builds and runs the image where Docker can run.
FROM debian:12-slim AS build
WORKDIR /source
COPY scripts/install_packages.sh scripts/
RUN ./scripts/install_packages.sh
COPY . .
RUN ./scripts/build.sh unity apps/all && strip build/bin/quartz-*

FROM debian:12-slim
# The versions of the packages are those of the Debian release that the tag of the image names.
# hadolint ignore=DL3008
RUN apt-get update -qq \
  && apt-get install -y -qq --no-install-recommends \
    libfmt9 libgomp1 libxxhash0 libz3-4 libzstd1 openmpi-bin \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /source/build/bin/quartz-* /usr/local/bin/
# Rule sets and class tables that were computed once are kept in the volume /cache.
RUN mkdir /cache /work && chown 1000:1000 /cache /work
ENV XDG_CACHE_HOME=/cache
USER 1000:1000
VOLUME /cache
WORKDIR /work
CMD ["quartz-opt", "--help"]
