package io.hiroba.knowledge.search;

import io.hiroba.knowledge.embedding.EmbeddingModule;
import io.hiroba.knowledge.search.SearchConfig.RerankConfig;
import io.hiroba.knowledge.sessions.ChatSessions;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.http.Routes;
import java.util.List;
import java.util.Optional;

/** The module of search and of answers to questions. */
public final class SearchModule implements FeatureModule {

    private final Platform platform;
    private final RecallSampler recall;
    private final Search search;
    private final Optional<Reranking> reranking;
    private final Optional<ChatModel> model;
    private final QuestionAnswering answers;

    public SearchModule(
            Platform platform,
            EmbeddingModule embedding,
            ChatSessions sessions,
            SearchConfig searchConfig,
            RerankConfig rerankConfig,
            ChatConfig chatConfig) {
        this.platform = platform;
        var searchDatabase = platform.openPool(Search.PLANNER);
        recall = new RecallSampler(searchDatabase, searchConfig, platform.meters());
        search = new Search(searchDatabase, platform.clock(), embedding.spaces(), embedding.queries(), recall);
        reranking = Reranking.configured(rerankConfig, embedding::crossEncoder, platform.meters());
        reranking.ifPresent(search::rerankedBy);
        model = chatConfig.isConfigured()
                ? Optional.of(
                        new ChatModel(chatConfig, (in, out) -> embedding.countAnswer(chatConfig.model(), in, out)))
                : Optional.empty();
        answers = new QuestionAnswering(search, sessions, platform.throttle(), model, chatConfig.passages());
    }

    public Search search() {
        return search;
    }

    public QuestionAnswering answers() {
        return answers;
    }

    @Override
    public List<Routes> routes() {
        return List.of(
                new KnowledgeSearchRoutes(search), new AskRoutes(answers, platform.streams(), platform.idempotency()));
    }

    @Override
    public void start(ResourceStack resources) {
        resources.add(recall);
        reranking.ifPresent(resources::add);
        model.ifPresent(resources::add);
    }
}
