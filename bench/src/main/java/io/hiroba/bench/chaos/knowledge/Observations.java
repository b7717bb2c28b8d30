package io.hiroba.bench.chaos.knowledge;

/** The state after a run as seen by the clients, the database, the API and the embedding service. */
record Observations(ClientHistory history, DatabaseState database, ApiState api, EmbeddingCalls calls) {}
