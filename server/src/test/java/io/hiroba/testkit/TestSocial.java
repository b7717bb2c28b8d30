package io.hiroba.testkit;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.events.EventsConfig;
import io.hiroba.platform.http.Throttle;
import io.hiroba.social.CountRollup;
import io.hiroba.social.Follows;
import io.hiroba.social.Likes;
import io.hiroba.social.PeopleLists;
import io.hiroba.social.PostDraft;
import io.hiroba.social.PostId;
import io.hiroba.social.PostLists;
import io.hiroba.social.Posts;
import io.hiroba.social.SocialConfig;
import io.hiroba.social.SocialRateLimits;
import io.hiroba.social.TimelineFanout;
import io.hiroba.social.TimelineWindows;
import io.hiroba.social.TimelineWindows.TimelineLimits;
import io.hiroba.social.messages.DirectMessages;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.awaitility.Awaitility;

/** The social feature on a database of its own, without limits, its consumers running. */
public final class TestSocial implements AutoCloseable {

    public final TestAccounts accounts = new TestAccounts();
    public final Db db = accounts.db;
    public final Posts posts;
    public final DirectMessages messages;
    public final Likes likes;
    public final Follows follows;
    public final PeopleLists people = new PeopleLists(db);
    public final TimelineWindows windows;
    public final PostLists lists;

    private final ResourceStack background = new ResourceStack();
    private final Events events;
    private final Set<String> consumers = new HashSet<>();

    public TestSocial() {
        this(new TimelineFanout(), TimelineLimits.DEFAULT);
    }

    public TestSocial(TimelineFanout timelines, TimelineLimits timelineLimits) {
        var clock = Clock.systemUTC();
        // A short poll: consumers are not woken for what does not concern them, and settle waits for all of them.
        var config = new EventsConfig(2, 1000, Duration.ofMillis(50), Duration.ofSeconds(4), Duration.ofDays(90));
        events = new Events(db, config, clock, new SimpleMeterRegistry(), new CommitSignal());
        var limits = new SocialRateLimits(new Throttle(db, clock), new SocialConfig(0, 0, 0));
        posts = new Posts(db, accounts.lease.ids(), clock, events.log(), limits, accounts.users);
        messages = new DirectMessages(db, accounts.lease.ids(), events.log(), limits, readers -> {});
        likes = new Likes(db, clock, events.log(), limits);
        follows = new Follows(db, clock, events.log(), limits, accounts.users);
        windows = new TimelineWindows(db, clock, timelineLimits);
        lists = new PostLists(db, windows);
        background.add(CountRollup.start(db));
        windows.start(background);
        consume(TimelineFanout.CONSUMER, timelines);
    }

    /** Starts a consumer, which {@link #settle} waits for from then on. */
    public void consume(String name, EventHandler handler) {
        consumers.add(name);
        events.consume(name, handler);
    }

    public EventLog log() {
        return events.log();
    }

    public Caller person(String nickname) {
        return accounts.caller(accounts.user(nickname));
    }

    public PostId post(Caller author, String content, String... tags) {
        return posts.create(author, PostDraft.of(content, tags)).card().id();
    }

    public PostId reply(Caller author, PostId to, String content) {
        return posts.create(author, PostDraft.of(content).inReplyTo(to)).card().id();
    }

    public void delete(UserId user) {
        accounts.users.delete(accounts.caller(user), user);
    }

    /** Waits until everything that was told is handled. */
    public void settle() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> waiting() == 0);
    }

    private int waiting() {
        return db.read(reads -> reads.query("""
                        SELECT count(*) FROM platform.event_logs e
                        JOIN platform.event_log_cursors c ON c.partition_id = e.partition_id
                        WHERE c.consumer = ANY (:consumers) AND e.event_id > c.last_event_id
                        """)
                .bindArray("consumers", String.class, consumers.toArray())
                .mapTo(Integer.class)
                .one());
    }

    @Override
    public void close() {
        background.close();
        events.close();
        accounts.close();
    }
}
