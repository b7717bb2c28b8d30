package io.hiroba.inbox.events;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.InboxPorts.PostLookup;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.Set;

/** Keeps the titles of mirrored posts current and deletes those of deleted posts. */
final class PostEventHandler implements HirobaEvents.Handler {

    private static final String DELETED = "post-deleted";
    private static final String EDITED = "post-edited";

    private final HirobaResources resources;
    private final PostLookup posts;

    PostEventHandler(HirobaResources resources, PostLookup posts) {
        this.resources = resources;
        this.posts = posts;
    }

    @Override
    public Set<String> types() {
        return Set.of(DELETED, EDITED);
    }

    @Override
    public void handle(Tx tx, List<Event> events) {
        var known = resources.mirrored(
                tx,
                ResourceType.POST,
                events.stream().map(PostEventHandler::id).distinct().toList());
        for (var event : events) {
            if (!known.contains(id(event))) {
                continue;
            }
            if (event.type().equals(DELETED)) {
                resources.delete(tx, ResourceType.POST, id(event));
            } else {
                rename(tx, event);
            }
        }
    }

    private void rename(Tx tx, Event event) {
        long post = Ids.parse(id(event));
        var author = UserId.parse(event.payload().path("userId").asString(""));
        posts.title(tx, post, author)
                .ifPresent(title -> resources.mirror(
                        tx,
                        "hiroba/posts",
                        id(event),
                        title,
                        "/posts/" + id(event),
                        "published",
                        HirobaResources.happenedAt(event),
                        new ResourceDetails.Post(post)));
    }

    private static String id(Event event) {
        return event.payload().path("postId").asString("");
    }
}
