package io.hiroba.knowledge.search;

import io.hiroba.knowledge.embedding.EmbeddingModule;
import io.hiroba.knowledge.search.SearchConfig.RerankConfig;
import io.hiroba.knowledge.sessions.ChatSessions;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.search.SearchSource;
import java.util.List;
import java.util.Optional;

/** The module of search and of answers to questions. */
public final class SearchModule implements FeatureModule {

    private final Platform platform;
    private final ChatSessions sessions;
    private final RecallSampler recall;
    private final Search search;
    private final Optional<Reranking> reranking;
    private final ChatModels models;
    private final QuestionAnswering answers;
    private final Conversations conversations;

    public SearchModule(
            Platform platform,
            EmbeddingModule embedding,
            ChatSessions sessions,
            SearchConfig searchConfig,
            RerankConfig rerankConfig,
            ChatConfig chatConfig) {
        this.platform = platform;
        this.sessions = sessions;
        var searchDatabase = platform.openPool(Search.PLANNER);
        recall = new RecallSampler(searchDatabase, searchConfig, platform.meters());
        search = new Search(searchDatabase, platform.clock(), embedding.spaces(), embedding.queries(), recall);
        reranking = Reranking.configured(rerankConfig, embedding::crossEncoder, platform.meters());
        reranking.ifPresent(search::rerankedBy);
        models = new ChatModels(platform.db(), platform.clock(), chatConfig, embedding::countAnswer);
        answers = new QuestionAnswering(
                search, sessions, platform.throttle(), models::chosen, chatConfig.passages(), chatConfig.perHour());
        conversations = new Conversations(platform.db(), platform.ids(), platform.clock(), answers);
    }

    public Search search() {
        return search;
    }

    public Conversations conversations() {
        return conversations;
    }

    public ChatModels models() {
        return models;
    }

    @Override
    public List<Routes> routes() {
        return List.of(
                new KnowledgeSearchRoutes(search),
                new AskRoutes(answers, platform.streams(), platform.idempotency()),
                new ConversationRoutes(conversations, platform.streams(), platform.idempotency(), platform.cursors()),
                new ChatModelRoutes(models));
    }

    @Override
    public List<SearchSource> searchSources() {
        return List.of(new ConversationSearch(conversations, sessions));
    }

    @Override
    public void start(ResourceStack resources) {
        resources.add(recall);
        reranking.ifPresent(resources::add);
        resources.add(models);
    }
}
