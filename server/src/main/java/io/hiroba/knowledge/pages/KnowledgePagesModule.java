package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.knowledge.KnowledgeModule;
import io.hiroba.knowledge.SourcesConfig;
import io.hiroba.knowledge.embedding.DeadLetters;
import io.hiroba.knowledge.embedding.DeadLetters.Filter;
import io.hiroba.platform.Platform;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Badge;
import io.hiroba.platform.web.Badges;
import io.hiroba.platform.web.Shell;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Composes the pages of knowledge. */
public final class KnowledgePagesModule {

    private final Platform platform;
    private final Users users;
    private final Readers readers;
    private final ByteSize maxUpload;

    public KnowledgePagesModule(Platform platform, Users users, Readers readers, SourcesConfig config) {
        this.platform = platform;
        this.users = users;
        this.readers = readers;
        var uploadSize = platform.http().limits().uploadSize();
        maxUpload = config.largest().bytes() <= uploadSize.bytes() ? config.largest() : uploadSize;
    }

    /** The first match wins, so routes with fixed paths come before those with ids. */
    public List<Routes> routes(Shell shell, KnowledgeModule knowledge) {
        var cursors = platform.cursors();
        var sources = knowledge.sources();
        var collections = knowledge.collections();
        var search = new KnowledgeSearchPages(shell, readers, knowledge.search().search(), sources, collections);
        var items = new SourceItems(readers, users, sources);
        return List.of(
                search,
                new ChatPages(
                        shell,
                        platform.assets()::url,
                        readers,
                        knowledge.search().conversations(),
                        collections,
                        platform.streams(),
                        cursors),
                new ChatModelPages(shell, knowledge.search().models()),
                new SourceListPages(shell, items, sources, collections, cursors, maxUpload),
                new SourcePages(shell, readers, items, sources, collections),
                new CollectionPages(shell, items, users, sources, collections, knowledge.watches(), cursors),
                new ChatSessionPages(
                        shell,
                        readers,
                        knowledge.sessions().sessions(),
                        knowledge.sessions().archiver(),
                        cursors),
                new PostRulePages(shell, knowledge.postRules()),
                new DeadLetterPages(shell, readers, knowledge.deadLetters(), items, cursors, false),
                new DeadLetterPages(shell, readers, knowledge.deadLetters(), items, cursors, true));
    }

    /** How many dead letters the reader has, on the pages whose tabs show it. */
    public Badges badges(DeadLetters letters) {
        return ctx -> {
            if (!ctx.path().startsWith(KnowledgePaths.SEARCH)) {
                return Map.of();
            }
            int count = Caller.find(ctx)
                    .map(caller -> letters.list(caller, false, Filter.NONE, Optional.empty(), Badge.MAX_SHOWN + 1))
                    .map(List::size)
                    .orElse(0);
            return count == 0 ? Map.of() : Map.of(KnowledgePaths.DEAD_LETTERS, Badge.unread(count));
        };
    }
}
