package io.hiroba.social;

import io.hiroba.accounts.TokenScope;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.PublishedEvent;
import io.hiroba.platform.events.PublishedEvents;
import io.hiroba.platform.http.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Posts and follows as programs outside see them: posts of everybody but those who block or are blocked, one's own follows. */
final class PublishedSocialEvents implements PublishedEvents {

    private static final String CREATED = "post.created";
    private static final String UPDATED = "post.updated";
    private static final String DELETED = "post.deleted";
    private static final String FOLLOWED = "user.followed";

    private final FollowStore store = new FollowStore();

    @Override
    public String scope() {
        return TokenScope.POSTS_READ.code();
    }

    @Override
    public List<String> types() {
        return List.of(CREATED, UPDATED, DELETED, FOLLOWED);
    }

    @Override
    public Set<String> sources() {
        return Set.of(SocialEvents.POST, SocialEvents.POST_EDITED, SocialEvents.POST_DELETED, SocialEvents.FOLLOW);
    }

    @Override
    public Optional<PublishedEvent> publish(Event event) {
        return switch (event.type()) {
            case SocialEvents.POST ->
                event.payload().path("becameRoot").asBoolean(false)
                        ? Optional.empty()
                        : Optional.of(post(CREATED, event));
            case SocialEvents.POST_EDITED -> Optional.of(post(UPDATED, event));
            case SocialEvents.POST_DELETED -> Optional.of(post(DELETED, event));
            case SocialEvents.FOLLOW -> Optional.of(follow(event));
            default -> Optional.empty();
        };
    }

    private static PublishedEvent post(String type, Event event) {
        var post = event.payload().path("postId").asString();
        var data = Json.mapper().createObjectNode();
        data.put("postId", post);
        data.put("userId", event.payload().path("userId").asString());
        data.put("path", "/api/v1/posts/" + post);
        return new PublishedEvent(event.id(), type, post, data);
    }

    private static PublishedEvent follow(Event event) {
        var followee = event.payload().path("followeeId").asString();
        var data = Json.mapper().createObjectNode();
        data.put("userId", followee);
        data.put("followerId", event.payload().path("followerId").asString());
        data.put("path", "/api/v1/users/" + followee);
        return new PublishedEvent(event.id(), FOLLOWED, followee, data);
    }

    @Override
    public Map<Subscriber, List<PublishedEvent>> readable(Reads reads, Map<Subscriber, List<PublishedEvent>> events) {
        var readers =
                events.keySet().stream().map(PublishedSocialEvents::reader).collect(Collectors.toSet());
        var people = events.values().stream()
                .flatMap(List::stream)
                .map(PublishedSocialEvents::other)
                .collect(Collectors.toSet());
        var blocked = store.blocksBetween(reads, readers, people);
        return PublishedEvents.filtered(events, (subscriber, event) -> {
            var reader = reader(subscriber);
            return !blocked.getOrDefault(reader, Set.of()).contains(other(event))
                    && (!event.type().equals(FOLLOWED) || isBetween(reader, event));
        });
    }

    private static UserId reader(Subscriber subscriber) {
        return new UserId(subscriber.user());
    }

    /** The author of a post, or the follower. */
    private static UserId other(PublishedEvent event) {
        return user(event, event.type().equals(FOLLOWED) ? "followerId" : "userId");
    }

    private static boolean isBetween(UserId reader, PublishedEvent event) {
        return reader.equals(user(event, "userId")) || reader.equals(user(event, "followerId"));
    }

    private static UserId user(PublishedEvent event, String field) {
        return UserId.parse(event.data().path(field).asString());
    }
}
