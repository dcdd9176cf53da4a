# An exact release, fixed by its digest: see the README.
ARG PYTHON_IMAGE=python:3.12.12-slim-trixie

FROM ${PYTHON_IMAGE} AS build
WORKDIR /source
COPY requirements requirements
RUN pip install --no-cache-dir --require-hashes -r requirements/build.txt \
    && pip wheel --no-cache-dir --require-hashes --wheel-dir /wheels -r requirements/bot.txt
COPY pyproject.toml README.md ./
COPY bot bot
COPY cogs cogs
COPY render render
COPY rules rules
COPY web web
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels .

FROM ${PYTHON_IMAGE}
# Mounted instead of copied, so the wheels add no layer.
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels umpire \
    && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin umpire \
    && install -d -o umpire -g umpire /data
USER umpire
WORKDIR /data
VOLUME /data
ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    UMPIRE_DATABASE_URL=sqlite:////data/umpire.db \
    UMPIRE_GROUNDS=/data/grounds \
    UMPIRE_HEARTBEAT=/tmp/umpire-heartbeat \
    UMPIRE_LOG=json
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["python", "-m", "bot.runtime.health"]
CMD ["python", "-m", "bot"]
