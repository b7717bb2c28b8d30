package io.hiroba.social;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.social.LivePostStore.BlockedPair;
import io.hiroba.social.LivePostStore.Delivered;
import io.hiroba.social.LivePostStore.NewPost;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Polls for new posts on behalf of all listeners on this node, where a node signals some and otherwise once a second: a few
 * statements while there are any listeners, however many they are, and none otherwise. It looks back over {@link #WINDOW} each time, because posts become visible
 * in another order than that of their ids. A request names its list: {@code ?posts=home} or {@code ?posts=newest}.
 */
final class LivePosts implements LiveSource {

    static final String TOPIC = "posts";
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** Posts of this time are sent together. */
    private static final Duration DELAY = Duration.ofMillis(10);

    static final Duration WINDOW = Duration.ofSeconds(30);

    private static final int MAX_POSTS = 200;

    private final Db db;
    private final InstantSource clock;
    private final TimelineWindows windows;
    private final WakeSignal signal = new WakeSignal();
    private final LivePostStore store = new LivePostStore();
    private final Set<LivePostListener> listeners = ConcurrentHashMap.newKeySet();

    LivePosts(Db db, InstantSource clock, TimelineWindows windows, CommitSignal commits) {
        this.db = db;
        this.clock = clock;
        this.windows = windows;
        commits.listen(TOPIC, keys -> signal.raiseIn(DELAY));
    }

    WorkLoop start() {
        return WorkLoop.whenSignalled("live posts", 1, signal, INTERVAL, () -> {
            poll();
            return false;
        });
    }

    @Override
    public String name() {
        return "posts";
    }

    @Override
    public Optional<Subscription> subscribe(Context ctx, Optional<String> position) {
        var asked = ctx.queryParam("posts");
        if (asked == null) {
            return Optional.empty();
        }
        var reader = Caller.of(ctx).within(TokenScope.POSTS_READ).user();
        var list = LivePostList.parse(asked);
        return Optional.of(
                new PostSubscription(this, reader, list, start(ctx, position).orElseGet(() -> now(reader, list))));
    }

    /** The position of the last message and, where it is newer, the newest post on the page. */
    private static Optional<LivePostPosition> start(Context ctx, Optional<String> position) {
        var seen = Optional.ofNullable(ctx.queryParam("after"))
                .filter(text -> !text.isEmpty())
                .map(PostId::parse);
        var last = position.map(LivePostPosition::parse);
        return last.isEmpty()
                ? seen.map(LivePostPosition::of)
                : last.map(known -> seen.map(known::atLeast).orElse(known));
    }

    private record PostSubscription(LivePosts live, UserId reader, LivePostList list, LivePostPosition start)
            implements Subscription {

        @Override
        public String position() {
            return start.text();
        }

        @Override
        public Runnable begin(Channel channel) {
            return live.listen(
                    reader,
                    list,
                    start,
                    (post, position) -> channel.send(position.text(), "post", Json.text(Map.of("id", post.hex()))));
        }
    }

    /**
     * Sends posts newer than {@code start} and those of the last {@link #WINDOW} that were not sent before it, until the
     * returned task is run: a post that became visible late has a lower id than one that the reader has seen already.
     */
    Runnable listen(UserId reader, LivePostList list, LivePostPosition start, LivePostListener.Sink sink) {
        long from = Math.min(start.latest().value(), since());
        var listener = new LivePostListener(reader, list, start, sink);
        listener.offer(missed(reader, list, from), from);
        if (list == LivePostList.HOME) {
            // Whoever listens to Home is here, and is to have a timeline.
            windows.request(reader, false);
        }
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** The position of a reader who has seen everything. */
    LivePostPosition now(UserId reader, LivePostList list) {
        var recent = missed(reader, list, since()).stream().map(NewPost::id).toList();
        return LivePostPosition.after(Ids.lowestAt(clock.instant()), recent);
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
        // Without new root posts no home feed has changed.
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
