package io.hiroba.inbox.own;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.resources.Details;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.Set;

/** Keeps posts that items are about as they are: called as they are called by now, and gone when they are gone. */
final class PostNews implements EventSubject {

    private static final String DELETED = "post-deleted";
    private static final String EDITED = "post-edited";

    private final Ours ours;
    private final PostTitles titles;

    PostNews(Ours ours, PostTitles titles) {
        this.ours = ours;
        this.titles = titles;
    }

    @Override
    public Set<String> types() {
        return Set.of(DELETED, EDITED);
    }

    @Override
    public void handle(Tx tx, List<Event> events) {
        var known = ours.mirrored(
                tx,
                ResourceType.POST,
                events.stream().map(PostNews::id).distinct().toList());
        for (var event : events) {
            if (!known.contains(id(event))) {
                continue;
            }
            if (event.type().equals(DELETED)) {
                ours.delete(tx, ResourceType.POST, id(event));
            } else {
                rename(tx, event);
            }
        }
    }

    private void rename(Tx tx, Event event) {
        long post = Ids.parse(id(event));
        var author = UserId.parse(event.payload().path("userId").asString(""));
        titles.find(tx, post, author)
                .ifPresent(title -> ours.mirror(
                        tx,
                        "hiroba/posts",
                        id(event),
                        title,
                        "/posts/" + id(event),
                        "published",
                        Ours.moment(event),
                        new Details.Post(post)));
    }

    private static String id(Event event) {
        return event.payload().path("postId").asString("");
    }
}
