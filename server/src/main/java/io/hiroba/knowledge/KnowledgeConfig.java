package io.hiroba.knowledge;

import io.hiroba.knowledge.ask.ChatConfig;
import io.hiroba.knowledge.embedding.EmbeddingConfig;
import io.hiroba.knowledge.search.SearchConfig;
import io.hiroba.knowledge.sessions.ArchiveConfig;
import io.hiroba.knowledge.sources.SourcesConfig;

/** How knowledge is gathered, embedded, searched and told. */
public record KnowledgeConfig(
        EmbeddingConfig embedding,
        SearchConfig search,
        ArchiveConfig archive,
        SourcesConfig sources,
        ChatConfig chat) {}
