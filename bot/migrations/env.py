"""How Alembic runs here: on the connection the program hands in."""

from alembic import context

from bot.store.tables import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
