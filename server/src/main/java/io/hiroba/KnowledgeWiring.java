package io.hiroba;

import io.hiroba.accounts.Users;
import io.hiroba.knowledge.KnowledgeConfig;
import io.hiroba.knowledge.SourceWriter;
import io.hiroba.knowledge.embedding.Spaces;
import io.hiroba.platform.http.Routes;
import java.util.List;

/** The knowledge feature, wired. */
final class KnowledgeWiring {

    final SourceWriter writer;
    final Spaces spaces;

    KnowledgeWiring(Platform platform, Users users, KnowledgeConfig config) {
        writer = new SourceWriter(platform.ids(), platform.clock());
        spaces = new Spaces(platform.db());
    }

    /** What runs in the background, each to be closed. */
    List<AutoCloseable> background() {
        return List.of();
    }

    List<Routes> routes() {
        return List.of();
    }
}
