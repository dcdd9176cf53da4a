"""Alembic's environment: run migrations on the connection that the program passes in."""

from alembic import context

from bot.store.tables import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
