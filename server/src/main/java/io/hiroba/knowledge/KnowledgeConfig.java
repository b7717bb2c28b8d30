package io.hiroba.knowledge;

import io.hiroba.knowledge.embedding.EmbeddingConfig;
import io.hiroba.knowledge.embedding.EmbeddingConfig.Kind;
import io.hiroba.knowledge.search.ChatConfig;
import io.hiroba.knowledge.search.SearchConfig;
import io.hiroba.knowledge.search.SearchConfig.RerankConfig;
import io.hiroba.knowledge.sessions.ArchiveConfig;
import java.util.HashSet;
import java.util.Set;

/** The configuration of knowledge. */
public record KnowledgeConfig(
        EmbeddingConfig embedding,
        SearchConfig search,
        RerankConfig rerank,
        ArchiveConfig archive,
        SourcesConfig sources,
        ChatConfig chat,
        CollectionsConfig collections) {

    /** The names of the installed models that are used. */
    public Set<String> installedModels() {
        var names = new HashSet<String>();
        if (embedding.provider() == Kind.ONNX) {
            names.add(embedding.model());
        }
        if (rerank.provider() == RerankConfig.Provider.ONNX) {
            names.add(rerank.model());
        }
        return names;
    }
}
