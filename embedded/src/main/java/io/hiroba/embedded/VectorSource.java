package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One way to come by pgvector. */
interface VectorSource {
    String name();

    /** Empty when this way does not exist here; an {@link EmbeddedException} when it exists and fails. */
    Optional<VectorFiles> find() throws IOException;

    /** The ways in the order in which they are tried: the cheapest first. */
    static List<VectorSource> all(PgHome home, Path work, Progress progress) {
        var archive = new DebianArchive(work.resolve("apt"));
        return List.of(
                new SystemVector(home),
                new PackagedVector(home, archive, work),
                new VectorBuild(home, archive, work, progress));
    }
}
