package io.hiroba.social.search;

import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.text.VocabularySweep;
import java.util.List;
import java.util.Map;

/** The module of full-text search of posts. */
public final class PostSearchModule implements FeatureModule {

    private final Platform platform;
    private final PostSearch search;
    private final PostIndexer indexer = new PostIndexer();

    public PostSearchModule(Platform platform) {
        this.platform = platform;
        this.search = new PostSearch(platform.db());
    }

    public PostSearch search() {
        return search;
    }

    @Override
    public List<Routes> routes() {
        return List.of(new PostSearchRoutes(search, platform.cursors()));
    }

    @Override
    public Map<String, EventHandler> consumers() {
        return Map.of(PostIndexer.CONSUMER, indexer);
    }

    @Override
    public void start(ResourceStack resources) {
        new PostIndexBackfill(platform.db(), indexer).start(resources);
        resources.add(VocabularySweep.start(platform.db(), PostSearch.VOCABULARY));
    }
}
