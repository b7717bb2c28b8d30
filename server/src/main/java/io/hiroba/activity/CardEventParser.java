package io.hiroba.activity;

import io.hiroba.activity.CardChange.ActAdded;
import io.hiroba.activity.CardChange.ActRemoved;
import io.hiroba.activity.CardChange.SubjectDeleted;
import io.hiroba.activity.CardChange.UserBlocked;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.id.Ids;
import io.hiroba.social.PostId;
import io.hiroba.social.SocialEvents;
import java.util.List;
import java.util.Optional;

/** Parses events of social to changes of cards; none, for most types. */
final class CardEventParser {

    private CardEventParser() {}

    static List<CardChange> parse(Event event) {
        return switch (event.type()) {
            case SocialEvents.FOLLOW ->
                List.of(new ActAdded(
                        id(event, "followeeId"), Slot.FOLLOW, ActRecord.of(id(event, "followerId"), 0, ts(event))));
            case SocialEvents.UNFOLLOW ->
                List.of(new ActRemoved(
                        id(event, "followeeId"), Slot.FOLLOW, new ActRecord.Id(id(event, "followerId"), 0)));
            case SocialEvents.LIKE ->
                List.of(new ActAdded(
                        id(event, "ownerId"), liked(event), ActRecord.of(id(event, "userId"), 0, ts(event))));
            case SocialEvents.UNLIKE ->
                List.of(new ActRemoved(id(event, "ownerId"), liked(event), new ActRecord.Id(id(event, "userId"), 0)));
            case SocialEvents.REPLY -> List.of(replied(event, id(event, "ownerId")));
            case SocialEvents.UNREPLY -> List.of(unreplied(event, id(event, "ownerId")));
            case FollowedPostFanout.REPLY -> List.of(replied(event, id(event, "toldId")));
            case FollowedPostFanout.UNREPLY -> List.of(unreplied(event, id(event, "toldId")));
            case FollowedPostFanout.GONE ->
                List.of(new SubjectDeleted(id(event, "toldId"), slot(NotificationKind.REPLY, event, "postId")));
            case SocialEvents.MENTION -> List.of(mentioned(event, id(event, "mentionedUserId")));
            case SocialEvents.UNMENTION ->
                List.of(new SubjectDeleted(
                        id(event, "mentionedUserId"), slot(NotificationKind.MENTION, event, "postId")));
            case SocialEvents.POST_DELETED ->
                List.of(
                        new SubjectDeleted(id(event, "userId"), slot(NotificationKind.LIKE, event, "postId")),
                        new SubjectDeleted(id(event, "userId"), slot(NotificationKind.REPLY, event, "postId")));
            case SocialEvents.BLOCK -> List.of(new UserBlocked(id(event, "toldId"), id(event, "otherId")));
            default -> List.of();
        };
    }

    /**
     * Two acts of one event that a reader is told of once: of a reply to their own post that mentions them as a reply, of one to
     * a post that they follow as a mention.
     *
     * @param dropped left out if {@code told} is wanted
     */
    record Alternative(ActAdded dropped, ActAdded told) {}

    static Optional<Alternative> alternative(Event event) {
        long reader = id(event, event.type().equals(SocialEvents.MENTION) ? "mentionedUserId" : "toldId");
        return switch (event.type()) {
            case SocialEvents.MENTION ->
                id(event, "ownerId") == reader
                        ? Optional.of(new Alternative(mentioned(event, reader), replied(event, reader)))
                        : Optional.empty();
            case FollowedPostFanout.REPLY ->
                event.payload().path(FollowedPostFanout.MENTIONED).asInt(0) == 1
                        ? Optional.of(new Alternative(replied(event, reader), mentioned(event, reader)))
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static ActAdded mentioned(Event event, long reader) {
        var act = ActRecord.of(
                id(event, "userId"), id(event, "postId"), event.at().toEpochMilli());
        return new ActAdded(reader, slot(NotificationKind.MENTION, event, "postId"), act);
    }

    private static ActAdded replied(Event event, long reader) {
        long reply = id(event, "postId");
        var act = ActRecord.of(id(event, "userId"), reply, Ids.createdAt(reply).toEpochMilli());
        return new ActAdded(reader, slot(NotificationKind.REPLY, event, "replyToPostId"), act);
    }

    private static CardChange unreplied(Event event, long reader) {
        var act = new ActRecord.Id(id(event, "userId"), id(event, "postId"));
        return new ActRemoved(reader, slot(NotificationKind.REPLY, event, "replyToPostId"), act);
    }

    private static Slot liked(Event event) {
        return slot(NotificationKind.LIKE, event, "postId");
    }

    private static Slot slot(NotificationKind kind, Event event, String field) {
        return Slot.of(kind, new PostId(id(event, field)));
    }

    /** 0, which no user has, if the event has no such field: it must not block later events. */
    static long id(Event event, String field) {
        var hex = event.payload().path(field).asString("");
        return hex.isEmpty() ? 0 : Ids.parse(hex);
    }

    private static long ts(Event event) {
        return event.payload().path("ts").asLong(event.at().toEpochMilli());
    }
}
