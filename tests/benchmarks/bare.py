"""The baseline for a step: FastAPI, one route, one row, committed before the response."""

import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI
from sqlalchemy import JSON, Column, Integer, MetaData, Table

from backend.database.database import Database

metadata = MetaData()
rows = Table("rows", metadata, Column("id", Integer, primary_key=True), Column("body", JSON))


def create_app(database: Database) -> FastAPI:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with database.engine.begin() as connection:
            await connection.run_sync(metadata.create_all)
        yield
        await database.close()

    app = FastAPI(lifespan=lifespan)

    @app.post("/rows")
    async def add_row(body: dict[str, Any]) -> dict[str, Any]:
        async with database.writing() as session:
            await session.execute(rows.insert().values(body=body))
        return {"stored": True}

    return app


if __name__ == "__main__":
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    sys.stderr.write(f"http://127.0.0.1:{listening.getsockname()[1]}\n")
    sys.stderr.flush()
    server = uvicorn.Server(uvicorn.Config(create_app(Database(sys.argv[1])), log_config=None))
    server.run(sockets=[listening])
