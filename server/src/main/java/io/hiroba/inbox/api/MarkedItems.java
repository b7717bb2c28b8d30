package io.hiroba.inbox.api;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxPorts.PostLookup;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.Namespaces;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.inbox.fanout.ResourceSnapshot;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.Ids;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Creates the items that users mark for themselves. */
final class MarkedItems {

    private static final String POSTS = "hiroba/posts";

    private final InstantSource clock;
    private final PostLookup posts;
    private final ApiLookup lookup;
    private final Namespaces namespaces;
    private final ResourceMirror resources;
    private final Notifier notifier;
    private final ItemRecipientStore recipients = new ItemRecipientStore();

    MarkedItems(InstantSource clock, PostLookup posts, ApiLookup lookup, Fanout fanout) {
        this.clock = clock;
        this.posts = posts;
        this.lookup = lookup;
        namespaces = fanout.namespaces();
        resources = fanout.resources();
        notifier = fanout.notifier();
    }

    /**
     * An item that a user has marked.
     *
     * @param fresh whether they had not marked the resource before
     */
    record Mark(ItemId item, boolean fresh) {}

    record Post(long id, String title) {}

    /** Finds a post that the caller may mark though they have no item about it: one that they may read. */
    Optional<Post> readable(Caller caller, ResourceType type, String named) {
        return type == ResourceType.POST && ApiLookup.isId(named)
                ? posts.readableTitle(caller, Ids.parse(named)).map(title -> new Post(Ids.parse(named), title))
                : Optional.empty();
    }

    /**
     * Marks a resource that the caller has or had an item about, or a post that they may read.
     *
     * @param post as {@link #readable} found it, before the transaction
     */
    Mark mark(Tx tx, Caller caller, ResourceType type, String named, Optional<Post> post) {
        var resource = lookup.find(tx, type, named)
                .filter(found -> recipients.hasItem(tx, found, caller.user()))
                .or(() -> post.map(found -> mirrored(tx, found)))
                .orElseThrow(InboxProblem::resourceNotFound);
        var request =
                NotificationRequest.of(resource, Action.MARKED, NotificationAuthor.of(caller.user()), clock.instant());
        var created = notifier.notifyUsers(tx, request, List.of(caller.user()));
        if (!created.isEmpty()) {
            return new Mark(created.getFirst().id(), true);
        }
        return recipients
                .pending(tx, resource, Action.MARKED, caller.user())
                .map(item -> new Mark(item, false))
                .orElseThrow(InboxProblem::turnedOff);
    }

    private Resource mirrored(Tx tx, Post post) {
        var id = Ids.hex(post.id());
        var snapshot = new ResourceSnapshot(
                ConnectionId.HIROBA,
                namespaces.at(tx, ConnectionId.HIROBA, POSTS).id(),
                id,
                post.title(),
                "/posts/" + id,
                "published",
                clock.instant(),
                new ResourceDetails.Post(post.id()));
        return resources.upsert(tx, snapshot).resource();
    }
}
