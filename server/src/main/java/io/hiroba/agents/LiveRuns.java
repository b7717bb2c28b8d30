package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.RunDraftStore.LiveRun;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.EventStream;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.live.Listeners;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.social.PostId;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends what runs write to open pages and streams of this node, by one statement for all posts and messages that are watched and none while there
 * are none: at once where a node signals a change, and otherwise within a second. A page names those that it shows: {@code ?runs=ID,ID}.
 * Whoever may read a post, or is in the thread of a message, may read what is written in reply to it, and nobody else.
 */
final class LiveRuns implements LiveSource, AutoCloseable {

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final int MAX_POSTS = 100;

    private final Db db;
    private final InstantSource clock;
    private final RunPlaces places;
    private final RunDraftStore store = new RunDraftStore();
    private final AgentRunStore runs = new AgentRunStore();
    private final Listeners<PostId, RunWatcher> listeners =
            new Listeners<>("runs of agents", (watched, changed) -> publish(watched));
    private @Nullable WorkLoop polling;

    LiveRuns(Db db, InstantSource clock, RunPlaces places, RunDrafts drafts) {
        this.db = db;
        this.clock = clock;
        this.places = places;
        drafts.listen(keys -> listeners.signalled(keys, PostId::parse));
    }

    /** Starts polling for changes whose signal was lost. */
    LiveRuns start() {
        polling = WorkLoop.every(POLL_INTERVAL, "live runs of agents", this::poll);
        return this;
    }

    void poll() {
        listeners.publishAll();
    }

    private void publish(Set<PostId> watched) {
        var found = db.read(reads -> store.of(reads, watched)).stream()
                .collect(Collectors.groupingBy(live -> live.run().post()));
        for (var post : watched) {
            var live = found.getOrDefault(post, List.of());
            listeners.of(post).forEach(watcher -> watcher.offer(post, live));
        }
    }

    private boolean mayRead(Caller reader, AgentRun run) {
        return db.read(reads -> places.mayRead(reads, reader, run));
    }

    /** A run that answers a post or message which the caller may read, with what it writes at this moment. */
    LiveRun find(Caller caller, UserId agent, long run) {
        return db.read(reads -> runs.find(reads, agent, run))
                .filter(found -> mayRead(caller, found))
                .flatMap(found -> db.read(reads -> store.of(reads, List.of(found.post()))).stream()
                        .filter(live -> live.run().id() == run)
                        .findFirst())
                .orElseThrow(AgentsProblem::runNotFound);
    }

    /** The runs for posts that end without a reply of which their callers are told: stopped, or of an agent that is not for them. */
    List<AgentRun> unanswered(Collection<PostId> posts) {
        return db.read(reads -> store.of(reads, posts)).stream()
                .map(LiveRun::run)
                .filter(run -> run.state() == State.STOPPED || run.reason() == Reason.CALLER)
                .toList();
    }

    /** Sends one run to a stream until it has ended, or the returned action is run. */
    Runnable watch(Caller caller, AgentRun run, EventStream stream) {
        return listeners.add(run.post(), new RunStreamWatcher(run.id(), stream, each -> mayRead(caller, each)));
    }

    @Override
    public String name() {
        return "runs";
    }

    @Override
    public Optional<Subscription> subscribe(Context ctx, Optional<String> position) {
        var asked = ctx.queryParam("runs");
        if (asked == null) {
            return Optional.empty();
        }
        var reader = Caller.of(ctx).within(TokenScope.POSTS_READ);
        var ids = Arrays.stream(asked.split(",", -1)).distinct().toList();
        if (ids.size() > MAX_POSTS || !ids.stream().allMatch(Ids::isId)) {
            throw HttpProblem.invalid("runs", Text.of("agents.field.posts", "max", MAX_POSTS));
        }
        return Optional.of(new RunSubscription(
                this, reader, ids.stream().map(PostId::parse).toList()));
    }

    private record RunSubscription(LiveRuns live, Caller reader, List<PostId> posts) implements Subscription {

        @Override
        public String position() {
            // What is written now is told to whoever comes back, whatever they have seen.
            return "0";
        }

        @Override
        public Runnable begin(Channel channel) {
            var watcher = new RunPageWatcher(
                    live.clock,
                    (event, json) -> channel.send(position(), event, json),
                    run -> live.mayRead(reader, run));
            var ends = posts.stream()
                    .map(post -> live.listeners.add(post, watcher))
                    .toList();
            return () -> ends.forEach(Runnable::run);
        }
    }

    @Override
    public void close() {
        if (polling != null) {
            polling.close();
        }
        listeners.close();
    }
}
