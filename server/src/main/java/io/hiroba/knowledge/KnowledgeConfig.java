package io.hiroba.knowledge;

import io.hiroba.knowledge.embedding.EmbeddingConfig;
import io.hiroba.knowledge.embedding.EmbeddingConfig.Kind;
import io.hiroba.knowledge.search.ChatConfig;
import io.hiroba.knowledge.search.SearchConfig;
import io.hiroba.knowledge.sessions.ArchiveConfig;
import java.util.Set;

/** The configuration of knowledge. */
public record KnowledgeConfig(
        EmbeddingConfig embedding,
        SearchConfig search,
        ArchiveConfig archive,
        SourcesConfig sources,
        ChatConfig chat) {

    /** The names of the installed models that are used. */
    public Set<String> installedModels() {
        return embedding.provider() == Kind.ONNX ? Set.of(embedding.model()) : Set.of();
    }
}
