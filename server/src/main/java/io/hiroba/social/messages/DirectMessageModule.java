package io.hiroba.social.messages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.web.Badge;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.SocialConfig;
import io.hiroba.social.SocialRateLimits;
import io.hiroba.social.pages.PageAdditions;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Composes the direct messages of social. */
public final class DirectMessageModule {

    private static final Duration SWEEP_INTERVAL = Duration.ofHours(6);

    private final Platform platform;
    private final Duration retention;
    private final LiveMessages live;
    private final DirectMessages messages;
    private final List<ThreadAdditions> additions = new CopyOnWriteArrayList<>();
    private final DirectMessageStore store = new DirectMessageStore();

    public DirectMessageModule(Platform platform, SocialConfig config, SocialRateLimits limits) {
        this.platform = platform;
        this.retention = config.messageRetention();
        live = new LiveMessages(platform.db(), platform.commits());
        messages = new DirectMessages(platform.db(), platform.ids(), platform.events(), limits, live::changed);
    }

    public DirectMessages messages() {
        return messages;
    }

    public Routes routes() {
        return new DirectMessageRoutes(messages, platform.idempotency(), platform.cursors());
    }

    /** Adds parts to the pages of threads. */
    public void add(ThreadAdditions parts) {
        additions.add(parts);
    }

    /** Also adds the button that writes to somebody to their profile. */
    public Routes pages(Shell shell, Readers readers, PageAdditions people) {
        var pages =
                new DirectMessagePages(shell, readers, messages, platform.idempotency(), platform.cursors(), additions);
        people.add(pages);
        return pages;
    }

    public NavItem navigation() {
        return new NavItem(Text.of("social.messages"), DirectMessagePages.PATH, "mail", 25, Audience.SIGNED_IN);
    }

    public Map<String, Badge> badges(Context ctx) {
        return Caller.find(ctx)
                .filter(caller -> !caller.acting())
                .map(caller -> Map.of(
                        DirectMessagePages.PATH, Badge.unread(messages.unread(caller.user(), Badge.MAX_SHOWN + 1))))
                .orElse(Map.of());
    }

    public LiveSource liveSource() {
        return live;
    }

    public SearchSource searchSource() {
        return new MessageSearchSource(messages);
    }

    public void start(ResourceStack resources) {
        resources.add(live.start());
        resources.add(WorkLoop.every(SWEEP_INTERVAL, "expired messages", this::sweep));
    }

    void sweep() {
        if (retention.isPositive()) {
            long before = Ids.lowestAt(platform.clock().instant().minus(retention));
            RetentionSweep.run(limit -> messages.deleteOlder(before, limit));
        }
        RetentionSweep.run(limit -> platform.db().inTransaction(tx -> store.deleteEmpty(tx, limit)));
    }
}
