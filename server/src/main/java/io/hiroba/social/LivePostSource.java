package io.hiroba.social;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.social.LivePosts.LivePostList;
import io.javalin.http.Context;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The live source of new posts of the list that the reader names, {@code ?posts=home} or {@code ?posts=newest}. */
final class LivePostSource implements LiveSource {

    private final LivePosts live;

    LivePostSource(LivePosts live) {
        this.live = live;
    }

    @Override
    public String name() {
        return "posts";
    }

    @Override
    public Optional<Subscription> subscribe(Context ctx, Optional<String> position) {
        var reader = Caller.of(ctx).user();
        return Optional.ofNullable(ctx.queryParam("posts"))
                .map(list -> new PostSubscription(live, reader, LivePostList.parse(list), after(ctx, position)));
    }

    /** The last post that was sent or is on the page: the page may show more than the last stream sent. */
    private static Optional<PostId> after(Context ctx, Optional<String> position) {
        var seen = Optional.ofNullable(ctx.queryParam("after")).filter(text -> !text.isEmpty());
        return Stream.of(position, seen)
                .flatMap(Optional::stream)
                .map(PostId::parse)
                .max(Comparator.comparingLong(PostId::value));
    }

    private record PostSubscription(LivePosts live, UserId reader, LivePostList list, Optional<PostId> after)
            implements Subscription {

        @Override
        public String position() {
            return after.orElseGet(live::present).hex();
        }

        @Override
        public Runnable begin(Channel channel) {
            var furthest = new AtomicLong(after.orElseGet(live::present).value());
            return after.map(seen -> live.listen(reader, list, seen, post -> send(channel, furthest, post)))
                    .orElseGet(() -> live.listen(reader, list, post -> send(channel, furthest, post)));
        }

        /** A post that became visible late has a lower id than the one before it: the position does not go back. */
        private static void send(Channel channel, AtomicLong furthest, PostId post) {
            long position = furthest.accumulateAndGet(post.value(), Math::max);
            channel.send(new PostId(position).hex(), "post", Json.text(Map.of("id", post.hex())));
        }
    }
}
