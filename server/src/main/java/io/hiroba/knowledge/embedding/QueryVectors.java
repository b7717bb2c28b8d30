package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.Provider.Purpose;
import java.util.List;
import java.util.function.Function;

/** Vectors of queries, in the space that is searched. */
public final class QueryVectors {
    private final Spaces spaces;
    private final Function<Space.Model, Provider> providers;

    public QueryVectors(Spaces spaces, Function<Space.Model, Provider> providers) {
        this.spaces = spaces;
        this.providers = providers;
    }

    /** A query's vector and the space it is of. */
    public static final class Vector {

        private final Space space;
        private final float[] values;

        public Vector(Space space, float[] values) {
            this.space = space;
            this.values = values;
        }

        public Space space() {
            return space;
        }

        /** Not to be written to. */
        public float[] values() {
            return values;
        }
    }

    public Vector of(String query) throws ProviderException {
        var space = spaces.active();
        return new Vector(
                space,
                providers
                        .apply(space.model())
                        .embed(List.of(query), Purpose.QUERY)
                        .getFirst());
    }
}
