package io.hiroba.social;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.social.LivePostStore.BlockedPair;
import io.hiroba.social.LivePostStore.Delivered;
import io.hiroba.social.LivePostStore.NewPost;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Polls for new posts on behalf of all listeners on this node: a few statements a second while there are any,
 * however many they are, and none otherwise. It looks back over {@link #WINDOW} each time, because posts become visible
 * in another order than that of their ids. A request names its list: {@code ?posts=home} or {@code ?posts=newest}.
 */
final class LivePosts implements LiveSource {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration WINDOW = Duration.ofSeconds(30);

    private static final int MAX_POSTS = 200;

    private final Db db;
    private final InstantSource clock;
    private final LivePostStore store = new LivePostStore();
    private final Set<LivePostListener> listeners = ConcurrentHashMap.newKeySet();

    LivePosts(Db db, InstantSource clock) {
        this.db = db;
        this.clock = clock;
    }

    WorkLoop start() {
        return WorkLoop.every(INTERVAL, "live posts", this::poll);
    }

    @Override
    public String name() {
        return "posts";
    }

    @Override
    public Optional<Subscription> subscribe(Context ctx, Optional<String> position) {
        var reader = Caller.of(ctx).user();
        return Optional.ofNullable(ctx.queryParam("posts"))
                .map(list -> new PostSubscription(this, reader, LivePostList.parse(list), after(ctx, position)));
    }

    /** The newer of the last post sent and the newest post on the page. */
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
            return after.orElseGet(live::currentPosition).hex();
        }

        @Override
        public Runnable begin(Channel channel) {
            var furthest = new AtomicLong(after.orElseGet(live::currentPosition).value());
            return after.map(seen -> live.listen(reader, list, seen, post -> send(channel, furthest, post)))
                    .orElseGet(() -> live.listen(reader, list, post -> send(channel, furthest, post)));
        }

        /** A post that became visible late may have a lower id than the one before; the position never decreases. */
        private static void send(Channel channel, AtomicLong furthest, PostId post) {
            long position = furthest.accumulateAndGet(post.value(), Math::max);
            channel.send(new PostId(position).hex(), "post", Json.text(Map.of("id", post.hex())));
        }
    }

    /**
     * Sends posts newer than {@code after} and all of the last {@link #WINDOW}, until the returned task is run: a post that
     * became visible late has a lower id than one that the reader has seen already.
     */
    Runnable listen(UserId reader, LivePostList list, PostId after, Consumer<PostId> sink) {
        long from = Math.min(after.value(), since());
        var listener = new LivePostListener(reader, list, id -> sink.accept(new PostId(id)));
        listener.offer(missed(reader, list, from), from);
        return add(listener);
    }

    /** As above, from now on. */
    Runnable listen(UserId reader, LivePostList list, Consumer<PostId> sink) {
        var listener = new LivePostListener(reader, list, id -> sink.accept(new PostId(id)));
        listener.markSent(missed(reader, list, since()));
        return add(listener);
    }

    private Runnable add(LivePostListener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** The position of a reader who has seen everything. */
    PostId currentPosition() {
        return new PostId(Ids.lowestAt(clock.instant()));
    }

    private List<NewPost> missed(UserId reader, LivePostList list, long after) {
        if (list == LivePostList.HOME) {
            return db.read(reads -> store.delivered(reads, Set.of(reader.value()), after, MAX_POSTS)).stream()
                    .map(Delivered::post)
                    .toList();
        }
        var roots = db.read(reads -> store.roots(reads, after, MAX_POSTS));
        var blocked = blocked(Set.of(reader.value()), roots);
        return visible(reader, roots, blocked);
    }

    void poll() {
        var listening = List.copyOf(listeners);
        if (listening.isEmpty()) {
            return;
        }
        long since = since();
        var roots = db.read(reads -> store.roots(reads, since, MAX_POSTS));
        sendHome(of(LivePostList.HOME, listening), roots, since);
        sendNewest(of(LivePostList.NEWEST, listening), roots, since);
    }

    private void sendHome(List<LivePostListener> home, List<NewPost> roots, long since) {
        // Without new root posts no timeline has changed.
        var delivered = home.isEmpty() || roots.isEmpty() ? List.<Delivered>of() : delivered(home, since);
        var byReader = delivered.stream()
                .collect(Collectors.groupingBy(
                        Delivered::reader, Collectors.mapping(Delivered::post, Collectors.toList())));
        home.forEach(listener ->
                listener.offer(byReader.getOrDefault(listener.reader().value(), List.of()), since));
    }

    private List<Delivered> delivered(List<LivePostListener> home, long since) {
        return db.read(reads -> store.delivered(reads, readers(home), since, MAX_POSTS));
    }

    private void sendNewest(List<LivePostListener> newest, List<NewPost> roots, long since) {
        var withNews = newest.stream()
                .filter(listener -> roots.stream().anyMatch(post -> !listener.knows(post)))
                .toList();
        var blocked = withNews.isEmpty() ? Set.<BlockedPair>of() : blocked(readers(withNews), roots);
        newest.forEach(listener -> listener.offer(visible(listener.reader(), roots, blocked), since));
    }

    private Set<BlockedPair> blocked(Collection<Long> readers, List<NewPost> posts) {
        if (posts.isEmpty()) {
            return Set.of();
        }
        var authors = posts.stream().map(NewPost::author).collect(Collectors.toSet());
        return new HashSet<>(db.read(reads -> store.blocked(reads, readers, authors)));
    }

    private static List<NewPost> visible(UserId reader, List<NewPost> posts, Set<BlockedPair> blocked) {
        return posts.stream()
                .filter(post -> !blocked.contains(new BlockedPair(reader.value(), post.author())))
                .toList();
    }

    private long since() {
        return Ids.lowestAt(clock.instant().minus(WINDOW));
    }

    private static List<LivePostListener> of(LivePostList list, List<LivePostListener> listening) {
        return listening.stream().filter(listener -> listener.list() == list).toList();
    }

    private static Set<Long> readers(List<LivePostListener> listening) {
        return listening.stream().map(listener -> listener.reader().value()).collect(Collectors.toSet());
    }

    /** A list with live updates. */
    public enum LivePostList {
        HOME,
        NEWEST;

        static LivePostList parse(String name) {
            return switch (name) {
                case "home" -> HOME;
                case "newest" -> NEWEST;
                default -> throw HttpProblem.invalid("posts", Text.of("social.field.live-list"));
            };
        }
    }
}
