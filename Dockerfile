# Builds the frontend, then the service that serves it. `--target analytics`
# builds the image that runs the Spark jobs.
# The digests are of the images for all platforms; a newer one is shown by
# `docker buildx imagetools inspect python:3.11-slim-bookworm`.
ARG PYTHON_IMAGE=python:3.11.16-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b
ARG NODE_IMAGE=node:20.20.2-bookworm-slim@sha256:2cf067cfed83d5ea958367df9f966191a942351a2df77d6f0193e162b5febfc0

FROM ${NODE_IMAGE} AS frontend
WORKDIR /app/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY frontend/ ./
COPY sim_engine/languages/ ../sim_engine/languages/
RUN npm run build

FROM ${PYTHON_IMAGE} AS packages
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 UV_NO_CACHE=1 UV_COMPILE_BYTECODE=1
WORKDIR /app
COPY requirements/bootstrap.txt requirements/service.txt requirements/
# uv is outside the environment that the final image copies, so that image has no installer.
RUN python -m venv /opt/uv \
 && /opt/uv/bin/pip install --require-hashes -r requirements/bootstrap.txt \
 && python -m venv --without-pip .venv \
 && /opt/uv/bin/uv pip install --python .venv/bin/python --require-hashes -r requirements/service.txt

FROM packages AS page-packages
COPY requirements/page.txt requirements/
# For Python in a page, not for this one: scripts/ensure-frontend has the same tag.
RUN /opt/uv/bin/pip download --require-hashes --no-deps --only-binary=:all: \
      --platform pyemscripten_2026_0_wasm32 --python-version 3.14 --implementation cp \
      --dest /page -r requirements/page.txt \
 && cp -r .venv/lib/python3.11/site-packages/yaml /page/

FROM frontend AS pages
COPY sim_engine/ ../sim_engine/
COPY backend/ ../backend/
COPY scripts/bundle_engine.py ../scripts/
COPY --from=page-packages /page/ /page/
RUN node build-engine.js /page/msgspec-*.whl /page/yaml dist/engine

FROM packages AS installed
COPY pyproject.toml README.md LICENSE ./
COPY sim_engine/ sim_engine/
COPY backend/ backend/
COPY analytics/ analytics/
COPY highwater_kafka/ highwater_kafka/
COPY scripts/build_hook.py scripts/sbom.py scripts/
COPY requirements/analytics.txt requirements/connect.txt requirements/mcp.txt \
     requirements/components.json requirements/
COPY frontend/package-lock.json frontend/
COPY --from=frontend /app/frontend/dist/assets/licenses*.txt frontend/dist/assets/
COPY --from=frontend /app/frontend/dist/embed/licenses.txt frontend/dist/embed/
COPY --from=frontend /app/frontend/dist-server/licenses.txt frontend/dist-server/
COPY --from=pages /app/frontend/dist/engine/engine-*.json frontend/dist/engine/
# An editable installation has no list of components, as a wheel has.
RUN /opt/uv/bin/uv pip install --python .venv/bin/python --no-deps --no-build-isolation --editable . \
 && .venv/bin/python -m compileall -q sim_engine backend analytics highwater_kafka \
 && .venv/bin/python scripts/sbom.py highwater.cdx.json

FROM installed AS installed-analytics
# PySpark is published as source only; it is built with the locked setuptools from above.
RUN /opt/uv/bin/uv pip install --python .venv/bin/python --no-build-isolation --require-hashes \
      -r requirements/analytics.txt

FROM ${PYTHON_IMAGE} AS base
LABEL org.opencontainers.image.title="Highwater" \
      org.opencontainers.image.description="See how Apache Kafka replicates data. Break it, see what is lost and why, and share the result as a link." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1
RUN groupadd --gid 10001 highwater \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin highwater \
 && install --directory --owner=10001 --group=10001 /data
WORKDIR /app

FROM base AS analytics
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends openjdk-17-jre-headless procps \
 && rm -rf /var/lib/apt/lists/*
COPY --from=installed-analytics /app/ ./
ENV PYSPARK_PYTHON=/app/.venv/bin/python
USER 10001:10001
WORKDIR /data
CMD ["highwater", "summarize"]

FROM base AS service
COPY --from=installed /app/ ./
COPY alembic/ alembic/
COPY docs/ docs/
# The feed has its releases.
COPY CHANGELOG.md ./
COPY scripts/container-health scripts/
COPY --from=pages /app/frontend/dist/ frontend/dist/
COPY --from=pages /app/frontend/dist-server/ frontend/dist-server/
# So that no service of this image collects what can be searched.
RUN python -m backend.site_contents.kept frontend/dist
ENV HIGHWATER_HOST=0.0.0.0 \
    HIGHWATER_PORT=8000 \
    HIGHWATER_DATABASE_URL=sqlite:////data/highwater.db
USER 10001:10001
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["python", "/app/scripts/container-health"]
CMD ["highwater", "serve"]
