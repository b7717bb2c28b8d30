package io.hiroba.inbox.api;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.inbox.resources.Details;
import io.hiroba.inbox.resources.Namespaces;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.inbox.resources.Told;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.Ids;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** What people mark for themselves, to come back to it. */
public final class Marks {

    private static final String POSTS = "hiroba/posts";

    private final InstantSource clock;
    private final ReadablePosts posts;
    private final Lookup lookup;
    private final Namespaces namespaces;
    private final Resources resources;
    private final Notifier notifier;
    private final ConcernedStore concerned = new ConcernedStore();

    public Marks(
            InstantSource clock,
            ReadablePosts posts,
            Lookup lookup,
            Namespaces namespaces,
            Resources resources,
            Notifier notifier) {
        this.clock = clock;
        this.posts = posts;
        this.lookup = lookup;
        this.namespaces = namespaces;
        this.resources = resources;
        this.notifier = notifier;
    }

    /**
     * An item that somebody gave themselves.
     *
     * @param fresh whether they had not marked the resource before
     */
    record Mark(ItemId item, boolean fresh) {}

    /** What the caller may mark though they have no item about it: a post that they may read. */
    Optional<ReadablePosts.Titled> readable(Caller caller, ResourceType type, String named) {
        return type == ResourceType.POST && Lookup.isId(named)
                ? posts.find(caller, Ids.parse(named))
                : Optional.empty();
    }

    /**
     * Marks a resource that the caller has or had an item about, or a post that they may read.
     *
     * @param post as {@link #readable} found it, before the transaction
     */
    Mark mark(Tx tx, Caller caller, ResourceType type, String named, Optional<ReadablePosts.Titled> post) {
        var resource = lookup.find(tx, type, named)
                .filter(found -> concerned.concerns(tx, found, caller.user()))
                .or(() -> post.map(found -> mirrored(tx, found)))
                .orElseThrow(InboxProblem::resourceNotFound);
        var news = News.of(resource, Action.MARKED, Author.of(caller.user()), clock.instant());
        var made = notifier.tellUsers(tx, news, List.of(caller.user()));
        if (!made.isEmpty()) {
            return new Mark(made.getFirst().id(), true);
        }
        return concerned
                .pending(tx, resource, Action.MARKED, caller.user())
                .map(item -> new Mark(item, false))
                .orElseThrow(InboxProblem::turnedOff);
    }

    private Resource mirrored(Tx tx, ReadablePosts.Titled post) {
        var id = Ids.hex(post.id());
        var told = new Told(
                ConnectionId.HIROBA,
                namespaces.at(tx, ConnectionId.HIROBA, POSTS).id(),
                id,
                post.title(),
                "/posts/" + id,
                "published",
                clock.instant(),
                new Details.Post(post.id()));
        return resources.mirror(tx, told).resource();
    }
}
