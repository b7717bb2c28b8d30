package io.hiroba.activity;

import io.hiroba.activity.FollowedPostStore.Follower;
import io.hiroba.activity.FollowedPostStore.Separation;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.id.Ids;
import io.hiroba.social.SocialEvents;
import java.util.ArrayList;
import java.util.List;

/** Appends an event for each follower of a post that has a reply: their cards belong to other partitions. */
final class FollowedPostFanout {

    static final String REPLY = "followed-reply";
    static final String UNREPLY = "followed-unreply";

    /** The post was deleted, or is hidden from its follower. */
    static final String GONE = "followed-gone";

    /** The field of an event that says whether the reply mentions the follower, who is told of that too. */
    static final String MENTIONED = "mentioned";

    private static final int BATCH_SIZE = 5_000;

    private final EventLog log;
    private final FollowedPostStore store = new FollowedPostStore();

    FollowedPostFanout(EventLog log) {
        this.log = log;
    }

    void fanOut(Tx tx, List<Event> batch) {
        var followers = store.followers(tx, ids(batch, "replyToPostId", SocialEvents.REPLY, SocialEvents.UNREPLY));
        var events = new ArrayList<NewEvent>();
        for (var event : batch.stream().filter(FollowedPostFanout::isReply).toList()) {
            followers.getOrDefault(CardEventParser.id(event, "replyToPostId"), List.of()).stream()
                    .filter(follower -> isRecipient(follower, event))
                    .forEach(follower -> events.add(replied(event, follower)));
            if (events.size() >= BATCH_SIZE) {
                log.append(tx, events);
                events.clear();
            }
        }
        store.separated(tx, separations(batch)).forEach(follower -> events.add(gone(follower)));
        var posts = ids(batch, "postId", SocialEvents.POST_DELETED);
        var owners = ids(batch, "userId", SocialEvents.USER_DELETED);
        store.delete(tx, posts, owners).forEach(follower -> events.add(gone(follower)));
        log.append(tx, events);
    }

    private static List<Long> ids(List<Event> batch, String field, String... types) {
        return batch.stream()
                .filter(event -> List.of(types).contains(event.type()))
                .map(event -> CardEventParser.id(event, field))
                .toList();
    }

    private static List<Separation> separations(List<Event> batch) {
        return batch.stream()
                .filter(event -> event.type().equals(SocialEvents.BLOCK))
                .map(event -> new Separation(CardEventParser.id(event, "toldId"), CardEventParser.id(event, "otherId")))
                .toList();
    }

    private static boolean isReply(Event event) {
        return event.type().equals(SocialEvents.REPLY) || event.type().equals(SocialEvents.UNREPLY);
    }

    /** Former followers get no replies, but still learn that one was deleted. */
    private static boolean isRecipient(Follower follower, Event event) {
        boolean deleted = event.type().equals(SocialEvents.UNREPLY);
        return (deleted || follower.active()) && follower.user() != CardEventParser.id(event, "ownerId");
    }

    private static NewEvent replied(Event event, Follower follower) {
        return NewEvent.of(follower.user(), event.type().equals(SocialEvents.REPLY) ? REPLY : UNREPLY)
                .with("toldId", Ids.hex(follower.user()))
                .with("postId", event.payload().path("postId").asString(""))
                .with("userId", event.payload().path("userId").asString(""))
                .with("replyToPostId", Ids.hex(follower.post()))
                .with(MENTIONED, mentions(event, follower) ? 1 : 0);
    }

    private static boolean mentions(Event event, Follower follower) {
        return event.payload().path("mentionedUserIds").asString("").contains(Ids.hex(follower.user()));
    }

    private static NewEvent gone(Follower follower) {
        return NewEvent.of(follower.user(), GONE)
                .with("toldId", Ids.hex(follower.user()))
                .with("postId", Ids.hex(follower.post()));
    }
}
