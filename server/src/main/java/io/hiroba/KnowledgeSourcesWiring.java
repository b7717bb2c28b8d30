package io.hiroba;

import io.hiroba.knowledge.SourceWriter;
import io.hiroba.knowledge.fetch.WebFetcher;
import io.hiroba.knowledge.posts.PostKnowledge;
import io.hiroba.knowledge.posts.PostRuleRoutes;
import io.hiroba.knowledge.posts.PostRuleWork;
import io.hiroba.knowledge.posts.PostRules;
import io.hiroba.knowledge.sources.Intake;
import io.hiroba.knowledge.sources.SourceRoutes;
import io.hiroba.knowledge.sources.Sources;
import io.hiroba.knowledge.sources.SourcesConfig;
import io.hiroba.platform.Platform;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.http.Routes;
import java.util.List;

/** The sources of knowledge, wired. */
final class KnowledgeSourcesWiring {

    private final Platform platform;
    private final SourcesConfig config;
    private final WebFetcher fetcher;
    private final PostKnowledge posts;
    final Sources sources;
    final PostRules postRules;

    KnowledgeSourcesWiring(Platform platform, SourceWriter writer, SourcesConfig config) {
        this.platform = platform;
        this.config = config;
        fetcher = new WebFetcher(
                new WebFetcher.Limits(config.largest(), config.fetchTimeout()), config.privateAddresses());
        sources =
                new Sources(platform.db(), writer, platform.throttle(), new Intake(config, fetcher, platform.clock()));
        posts = new PostKnowledge(writer, config.chunkTokens());
        postRules = new PostRules(platform.db(), platform.ids(), platform.clock());
    }

    /** Starts what works on the event log. */
    void consume(Events events) {
        events.consume(PostKnowledge.CONSUMER, posts);
    }

    List<AutoCloseable> background() {
        return List.of(fetcher, new PostRuleWork(platform.db(), posts));
    }

    List<Routes> routes() {
        return List.of(
                new SourceRoutes(sources, config, platform.idempotency(), platform.cursors()),
                new PostRuleRoutes(postRules));
    }
}
