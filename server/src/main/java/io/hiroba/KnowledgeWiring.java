package io.hiroba;

import io.hiroba.accounts.Users;
import io.hiroba.knowledge.KnowledgeConfig;
import io.hiroba.knowledge.SourceWriter;
import io.hiroba.knowledge.ask.Ask;
import io.hiroba.knowledge.ask.AskRoutes;
import io.hiroba.knowledge.ask.ChatModel;
import io.hiroba.knowledge.embedding.DeadLetterRoutes;
import io.hiroba.knowledge.embedding.DeadLetters;
import io.hiroba.knowledge.embedding.EmbeddingQueue;
import io.hiroba.knowledge.embedding.EmbeddingWorker;
import io.hiroba.knowledge.embedding.Providers;
import io.hiroba.knowledge.embedding.QueryVectors;
import io.hiroba.knowledge.embedding.SpaceRoutes;
import io.hiroba.knowledge.embedding.SpaceSwitch;
import io.hiroba.knowledge.embedding.Spaces;
import io.hiroba.knowledge.search.Recall;
import io.hiroba.knowledge.search.Search;
import io.hiroba.knowledge.search.SearchRoutes;
import io.hiroba.knowledge.sessions.Archiver;
import io.hiroba.knowledge.sessions.SessionRoutes;
import io.hiroba.knowledge.sessions.Sessions;
import io.hiroba.platform.Platform;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.task.WakeSignal;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The knowledge feature, wired. */
final class KnowledgeWiring {

    /** Connections that searches share on a node: more of them would only wait for the processors. */
    static final int SEARCHES = 8;

    final SourceWriter writer;
    final Spaces spaces;
    final Search search;
    final Sessions sessions;
    final Archiver archiver;
    final DeadLetters deadLetters;
    final Ask ask;
    final KnowledgeSourcesWiring sources;

    private final Platform platform;
    private final Providers providers;
    private final EmbeddingWorker worker;
    private final Recall recall;
    private final Optional<ChatModel> chat;

    /** @param near connections with {@link Search#PLANNER} */
    KnowledgeWiring(Platform platform, Db near, Users users, KnowledgeConfig config, MeterRegistry meters) {
        this.platform = platform;
        var signal = new WakeSignal();
        writer = new SourceWriter(platform.ids(), platform.clock(), signal::raise);
        spaces = new Spaces(platform.db());
        spaces.prepare(config.embedding().wanted());
        providers = Providers.configured(config.embedding(), platform.clock());
        var embedding = config.embedding();
        worker = new EmbeddingWorker(
                new SpaceSwitch(platform.db(), spaces, platform.events()),
                new EmbeddingQueue(platform.db(), platform.ids(), platform.events(), embedding),
                providers,
                embedding,
                signal,
                meters);
        deadLetters = new DeadLetters(platform.db(), signal);
        recall = new Recall(near, config.search(), meters);
        var vectors = new QueryVectors(spaces, providers, meters);
        search = new Search(near, platform.clock(), spaces, vectors, config.search(), recall);
        sessions = new Sessions(platform.db(), platform.ids(), platform.clock(), writer);
        archiver = new Archiver(platform.db(), platform.clock(), writer, config.archive(), meters);
        var model = config.chat();
        chat = model.isConfigured() ? Optional.of(new ChatModel(model)) : Optional.empty();
        ask = new Ask(search, sessions, platform.throttle(), chat, model.passages());
        sources = new KnowledgeSourcesWiring(platform, writer, config.sources());
    }

    /** Starts what works on the event log. */
    void consume(Events events) {
        sources.consume(events);
    }

    /** What runs in the background, each to be closed. */
    List<AutoCloseable> background() {
        var own = List.of(providers, worker.start(), recall, archiver.background());
        return Stream.of(own, sources.background(), chat.stream().toList())
                .<AutoCloseable>flatMap(List::stream)
                .toList();
    }

    List<Routes> routes() {
        var own = List.of(
                new SearchRoutes(search),
                new DeadLetterRoutes(deadLetters, platform.cursors()),
                new SpaceRoutes(platform.db(), worker),
                new SessionRoutes(sessions, archiver, platform.idempotency(), platform.cursors()),
                new AskRoutes(ask, platform.streams(), platform.idempotency()));
        return Stream.of(own, sources.routes()).flatMap(List::stream).toList();
    }
}
