package io.hiroba.social.live;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.social.PostId;
import io.hiroba.social.live.LiveStore.Delivered;
import io.hiroba.social.live.LiveStore.Fresh;
import io.hiroba.social.live.LiveStore.Separated;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Watches for new posts on behalf of all readers who listen on this node: a few statements a second while anybody does,
 * however many they are, and none otherwise. It looks back over {@link #WINDOW} each time, because posts become visible
 * in another order than that of their ids.
 */
public final class LivePosts implements AutoCloseable {

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration WINDOW = Duration.ofSeconds(30);

    /** More new posts than anybody counts. */
    private static final int MOST = 200;

    private final Db db;
    private final InstantSource clock;
    private final LiveStore store = new LiveStore();
    private final Set<LiveListener> listeners = ConcurrentHashMap.newKeySet();
    private final WorkLoop watch;

    public LivePosts(Db db, InstantSource clock) {
        this.db = db;
        this.clock = clock;
        this.watch = WorkLoop.every(PERIOD, "live posts", this::look);
    }

    /**
     * Tells {@code tell} of posts newer than {@code after}, and of all of the last moments, until what is returned is run:
     * one that became visible late has a lower id than another that the reader knows already.
     */
    public Runnable listen(UserId reader, LiveList list, PostId after, Consumer<PostId> tell) {
        long from = Math.min(after.value(), since());
        var listener = new LiveListener(reader, list, id -> tell.accept(new PostId(id)));
        listener.offer(missed(reader, list, from), from);
        return add(listener);
    }

    /** As above, of what becomes visible from now on. */
    public Runnable listen(UserId reader, LiveList list, Consumer<PostId> tell) {
        var listener = new LiveListener(reader, list, id -> tell.accept(new PostId(id)));
        listener.remember(missed(reader, list, since()));
        return add(listener);
    }

    private Runnable add(LiveListener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Where whoever knows all that there is stands. */
    PostId present() {
        return new PostId(Ids.lowestAt(clock.instant()));
    }

    private List<Fresh> missed(UserId reader, LiveList list, long after) {
        if (list == LiveList.HOME) {
            return db.read(reads -> store.delivered(reads, Set.of(reader.value()), after, MOST)).stream()
                    .map(Delivered::post)
                    .toList();
        }
        var roots = db.read(reads -> store.roots(reads, after, MOST));
        var separated = separated(Set.of(reader.value()), roots);
        return visible(reader, roots, separated);
    }

    void look() {
        var listening = List.copyOf(listeners);
        if (listening.isEmpty()) {
            return;
        }
        long since = since();
        var roots = db.read(reads -> store.roots(reads, since, MOST));
        tellHome(of(LiveList.HOME, listening), roots, since);
        tellNewest(of(LiveList.NEWEST, listening), roots, since);
    }

    private void tellHome(List<LiveListener> home, List<Fresh> roots, long since) {
        // What nobody has posted has come into no home either: homes are looked into while there is something new.
        var delivered = home.isEmpty() || roots.isEmpty() ? List.<Delivered>of() : delivered(home, since);
        var byReader = delivered.stream()
                .collect(Collectors.groupingBy(
                        Delivered::reader, Collectors.mapping(Delivered::post, Collectors.toList())));
        home.forEach(listener ->
                listener.offer(byReader.getOrDefault(listener.reader().value(), List.of()), since));
    }

    private List<Delivered> delivered(List<LiveListener> home, long since) {
        return db.read(reads -> store.delivered(reads, readers(home), since, MOST));
    }

    private void tellNewest(List<LiveListener> newest, List<Fresh> roots, long since) {
        var strangers = newest.stream()
                .filter(listener -> roots.stream().anyMatch(post -> !listener.knows(post)))
                .toList();
        var separated = strangers.isEmpty() ? Set.<Separated>of() : separated(readers(strangers), roots);
        newest.forEach(listener -> listener.offer(visible(listener.reader(), roots, separated), since));
    }

    private Set<Separated> separated(Collection<Long> readers, List<Fresh> posts) {
        if (posts.isEmpty()) {
            return Set.of();
        }
        var authors = posts.stream().map(Fresh::author).collect(Collectors.toSet());
        return new HashSet<>(db.read(reads -> store.separated(reads, readers, authors)));
    }

    private static List<Fresh> visible(UserId reader, List<Fresh> posts, Set<Separated> separated) {
        return posts.stream()
                .filter(post -> !separated.contains(new Separated(reader.value(), post.author())))
                .toList();
    }

    private long since() {
        return Ids.lowestAt(clock.instant().minus(WINDOW));
    }

    private static List<LiveListener> of(LiveList list, List<LiveListener> listening) {
        return listening.stream().filter(listener -> listener.list() == list).toList();
    }

    private static Set<Long> readers(List<LiveListener> listening) {
        return listening.stream().map(listener -> listener.reader().value()).collect(Collectors.toSet());
    }

    @Override
    public void close() {
        watch.close();
    }
}
