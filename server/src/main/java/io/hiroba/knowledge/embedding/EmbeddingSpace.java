package io.hiroba.knowledge.embedding;

/** The vectors of one model, comparable with one another only, in their own table. */
public record EmbeddingSpace(int id, Model model, State state) {

    /** The state of a space. */
    public enum State {
        /** Being filled to become the active one. */
        BUILDING,
        /** Used by searches. */
        ACTIVE,
        RETIRED
    }

    /** An embedding model. */
    public record Model(String provider, String name, int dimensions) {

        @Override
        public String toString() {
            return provider + "/" + name + "/" + dimensions;
        }
    }

    /** The table, by its name in SQL. */
    public String table() {
        return "knowledge.embeddings_" + id;
    }
}
