package io.hiroba.social.live;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.social.PostId;
import io.javalin.http.Context;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** New posts for the stream: of the list that the reader names, {@code ?posts=home} or {@code ?posts=newest}. */
public final class PostSource implements LiveSource {

    private final LivePosts live;

    public PostSource(LivePosts live) {
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
                .map(list -> new Wish(live, reader, LiveList.parse(list), after(ctx, position)));
    }

    /** The last post that the reader was told of or had seen before: its page may know of more than its last stream. */
    private static Optional<PostId> after(Context ctx, Optional<String> position) {
        var seen = Optional.ofNullable(ctx.queryParam("after")).filter(text -> !text.isEmpty());
        return Stream.of(position, seen)
                .flatMap(Optional::stream)
                .map(PostId::parse)
                .max(Comparator.comparingLong(PostId::value));
    }

    private record Wish(LivePosts live, UserId reader, LiveList list, Optional<PostId> after) implements Subscription {

        @Override
        public String position() {
            return after.orElseGet(live::present).hex();
        }

        @Override
        public Runnable begin(Channel channel) {
            var furthest = new AtomicLong(after.orElseGet(live::present).value());
            return after.map(post -> live.listen(reader, list, post, told -> tell(channel, furthest, told)))
                    .orElseGet(() -> live.listen(reader, list, told -> tell(channel, furthest, told)));
        }

        /** A post that became visible late has a lower id than the one before it: the position does not go back. */
        private static void tell(Channel channel, AtomicLong furthest, PostId post) {
            long position = furthest.accumulateAndGet(post.value(), Math::max);
            channel.tell(new PostId(position).hex(), "post", Json.text(Map.of("id", post.hex())));
        }
    }
}
