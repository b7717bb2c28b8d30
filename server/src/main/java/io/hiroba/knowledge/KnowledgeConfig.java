package io.hiroba.knowledge;

import io.hiroba.knowledge.embedding.EmbeddingConfig;
import io.hiroba.knowledge.embedding.EmbeddingConfig.Kind;
import io.hiroba.knowledge.search.ChatConfig;
import io.hiroba.knowledge.search.SearchConfig;
import io.hiroba.knowledge.search.SearchConfig.RerankConfig;
import io.hiroba.knowledge.sessions.ArchiveConfig;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
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

    /** The configuration of collections. */
    public record CollectionsConfig(
            @Default("100") @Doc("Collections that a user may own; admins may own any number.")
            int perUser,

            @Default("1000") @Doc("Members that a collection may have.")
            int members,

            @Default("50") @Doc("Addresses, Git repositories and folders that a collection may watch.")
            int watches,

            @Default("5m") @Doc("How often a watched place may be looked at, at most.")
            Duration minInterval,

            @Default("2000")
            @Doc(
                    "Files of a watched folder or repository that become sources; one with more that its patterns name, or with more"
                            + " documents, is refused.")
            int maxFiles,

            @Default("50MB")
            @Doc(
                    "The size of a watched Git repository, as its newest commit is transferred; it is held in memory while it is read.")
            ByteSize repositorySize,

            @Default("")
            @Doc(
                    "The folders of the server below which admins may let collections watch folders. Whoever may read such a collection reads"
                            + " the files there. Every node must have them.")
            List<String> folders) {

        public CollectionsConfig {
            if (perUser < 1 || members < 1 || watches < 1 || maxFiles < 1) {
                throw new IllegalArgumentException("per-user, members, watches and max-files must be at least 1");
            }
            if (minInterval.toSeconds() < 60) {
                throw new IllegalArgumentException("min-interval must be at least 1m");
            }
            folders = List.copyOf(folders);
        }
    }

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
