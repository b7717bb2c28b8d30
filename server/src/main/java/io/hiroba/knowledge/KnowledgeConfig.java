package io.hiroba.knowledge;

import io.hiroba.knowledge.embedding.EmbeddingConfig;
import io.hiroba.knowledge.search.ChatConfig;
import io.hiroba.knowledge.search.SearchConfig;
import io.hiroba.knowledge.sessions.ArchiveConfig;

/** The configuration of knowledge. */
public record KnowledgeConfig(
        EmbeddingConfig embedding,
        SearchConfig search,
        ArchiveConfig archive,
        SourcesConfig sources,
        ChatConfig chat) {}
