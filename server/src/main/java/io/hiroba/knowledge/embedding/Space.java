package io.hiroba.knowledge.embedding;

/** The vectors of one model: comparable with one another, and in a table of their own. */
public record Space(int id, Model model, State state) {

    /** What becomes of a space. */
    public enum State {
        /** Filled, to become the active one. */
        BUILDING,
        /** The one that is searched. */
        ACTIVE,
        RETIRED
    }

    /** What makes the vectors. */
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
