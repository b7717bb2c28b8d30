package io.hiroba;

import io.hiroba.accounts.Users;
import io.hiroba.knowledge.KnowledgeConfig;
import io.hiroba.knowledge.pages.AddSourcePages;
import io.hiroba.knowledge.pages.AskPages;
import io.hiroba.knowledge.pages.DeadLetterPages;
import io.hiroba.knowledge.pages.PostRulePages;
import io.hiroba.knowledge.pages.SearchPages;
import io.hiroba.knowledge.pages.SessionListPages;
import io.hiroba.knowledge.pages.SessionPages;
import io.hiroba.knowledge.pages.SourceItems;
import io.hiroba.knowledge.pages.SourceListPages;
import io.hiroba.knowledge.pages.SourcePages;
import io.hiroba.knowledge.pages.Times;
import io.hiroba.knowledge.sources.Passages;
import io.hiroba.platform.Platform;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import java.util.List;

/** The pages of knowledge, wired. */
final class KnowledgePagesWiring {

    private final Shell shell;
    private final Platform platform;
    private final Users users;
    private final KnowledgeWiring knowledge;
    private final ByteSize largest;
    private final Times times;

    KnowledgePagesWiring(
            Shell shell,
            Platform platform,
            AccountsWiring accounts,
            KnowledgeWiring knowledge,
            KnowledgeConfig config) {
        this.shell = shell;
        this.platform = platform;
        this.users = accounts.users;
        this.knowledge = knowledge;
        this.largest =
                smaller(config.sources().largest(), platform.http().limits().uploadSize());
        this.times = new Times(accounts.readers, platform.clock());
    }

    /** Those whose paths others would take for an id come first. */
    List<Routes> routes() {
        var cursors = platform.cursors();
        var sources = knowledge.sources.sources;
        var box = new SearchPages(shell, times, knowledge.search, sources);
        var items = new SourceItems(times, users, sources);
        var list = new SourceListPages(shell, items, sources, cursors, largest);
        return List.of(
                box,
                new AskPages(shell, platform.assets()::url, times, box, knowledge.ask, platform.streams()),
                list,
                new AddSourcePages(shell, list, sources),
                new SourcePages(shell, items, sources, new Passages(platform.db())),
                new SessionListPages(shell, times, knowledge.sessions, cursors),
                new SessionPages(shell, times, knowledge.sessions, knowledge.archiver),
                new PostRulePages(shell, knowledge.sources.postRules),
                new DeadLetterPages(shell, times, knowledge.deadLetters, cursors));
    }

    private static ByteSize smaller(ByteSize one, ByteSize other) {
        return one.bytes() <= other.bytes() ? one : other;
    }
}
