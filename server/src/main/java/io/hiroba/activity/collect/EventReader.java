package io.hiroba.activity.collect;

import io.hiroba.activity.Kind;
import io.hiroba.activity.Slot;
import io.hiroba.activity.collect.Change.Done;
import io.hiroba.activity.collect.Change.Gone;
import io.hiroba.activity.collect.Change.Separated;
import io.hiroba.activity.collect.Change.Withdrawn;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.id.Ids;
import io.hiroba.social.PostId;
import io.hiroba.social.SocialEvents;
import java.util.List;

/** Tells what an event means; nothing, for most types. */
final class EventReader {

    private EventReader() {}

    static List<Change> read(Event event) {
        return switch (event.type()) {
            case SocialEvents.FOLLOW ->
                List.of(new Done(id(event, "followeeId"), Slot.FOLLOW, Act.of(id(event, "followerId"), 0, ts(event))));
            case SocialEvents.UNFOLLOW ->
                List.of(new Withdrawn(id(event, "followeeId"), Slot.FOLLOW, new Act.Id(id(event, "followerId"), 0)));
            case SocialEvents.LIKE ->
                List.of(new Done(id(event, "ownerId"), liked(event), Act.of(id(event, "userId"), 0, ts(event))));
            case SocialEvents.UNLIKE ->
                List.of(new Withdrawn(id(event, "ownerId"), liked(event), new Act.Id(id(event, "userId"), 0)));
            case SocialEvents.REPLY -> List.of(replied(event, id(event, "ownerId")));
            case SocialEvents.UNREPLY -> List.of(unreplied(event, id(event, "ownerId")));
            case FollowedPosts.REPLY -> List.of(replied(event, id(event, "toldId")));
            case FollowedPosts.UNREPLY -> List.of(unreplied(event, id(event, "toldId")));
            case FollowedPosts.GONE -> List.of(new Gone(id(event, "toldId"), slot(Kind.REPLY, event, "postId")));
            case SocialEvents.MENTION ->
                List.of(new Done(
                        id(event, "mentionedUserId"),
                        slot(Kind.MENTION, event, "postId"),
                        Act.of(
                                id(event, "userId"),
                                id(event, "postId"),
                                event.at().toEpochMilli())));
            case SocialEvents.UNMENTION ->
                List.of(new Gone(id(event, "mentionedUserId"), slot(Kind.MENTION, event, "postId")));
            case SocialEvents.POST_DELETED ->
                List.of(
                        new Gone(id(event, "userId"), slot(Kind.LIKE, event, "postId")),
                        new Gone(id(event, "userId"), slot(Kind.REPLY, event, "postId")));
            case SocialEvents.BLOCK -> List.of(new Separated(id(event, "toldId"), id(event, "otherId")));
            default -> List.of();
        };
    }

    private static Change replied(Event event, long reader) {
        long reply = id(event, "postId");
        var act = Act.of(id(event, "userId"), reply, Ids.createdAt(reply).toEpochMilli());
        return new Done(reader, slot(Kind.REPLY, event, "replyToPostId"), act);
    }

    private static Change unreplied(Event event, long reader) {
        var act = new Act.Id(id(event, "userId"), id(event, "postId"));
        return new Withdrawn(reader, slot(Kind.REPLY, event, "replyToPostId"), act);
    }

    private static Slot liked(Event event) {
        return slot(Kind.LIKE, event, "postId");
    }

    private static Slot slot(Kind kind, Event event, String field) {
        return Slot.of(kind, new PostId(id(event, field)));
    }

    /** 0, which is nobody, if the event has no such field: it must not hold up those behind it. */
    static long id(Event event, String field) {
        var hex = event.payload().path(field).asString("");
        return hex.isEmpty() ? 0 : Ids.parse(hex);
    }

    private static long ts(Event event) {
        return event.payload().path("ts").asLong(event.at().toEpochMilli());
    }
}
