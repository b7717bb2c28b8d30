package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.RunFeedbackStore.Feedback;
import io.hiroba.agents.RunFeedbackStore.ThumbCounts;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.i18n.Text;
import io.hiroba.social.PostId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The facade of feedback on replies of agents: thumbs up or down, one a person, from whoever may read the reply. */
final class RunFeedback {

    private static final int MAX_COMMENT = 1_000;
    private static final int MAX_COMMENTS = 100;

    private final Db db;
    private final RunPlaces places;
    private final RunFeedbackStore store = new RunFeedbackStore();

    RunFeedback(Db db, RunPlaces places) {
        this.db = db;
        this.places = places;
    }

    /**
     * The feedback on a reply.
     *
     * @param mine that of whoever asks
     * @param comments for admins alone
     */
    record FeedbackSummary(ThumbCounts tally, Optional<Feedback> mine, List<Feedback> comments) {

        FeedbackSummary {
            comments = List.copyOf(comments);
        }
    }

    FeedbackSummary of(Caller caller, PostId reply) {
        return db.read(reads -> of(reads, caller, require(reads, caller, reply)));
    }

    /** The feedback on a post, if it is a reply of an agent. */
    Optional<FeedbackSummary> find(Caller caller, PostId post) {
        return db.read(reads -> store.run(reads, post).map(run -> of(reads, caller, run)));
    }

    /** The feedback on messages of agents, by these: without comments, in three statements for all. */
    Map<PostId, FeedbackSummary> find(Caller caller, Collection<PostId> replies) {
        return db.read(reads -> {
            var runs = store.runs(reads, replies);
            var tallies = store.tallies(reads, runs.values());
            var mine = store.of(reads, runs.values(), caller.user());
            return runs.entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey,
                            each -> new FeedbackSummary(
                                    tallies.getOrDefault(each.getValue(), ThumbCounts.NONE),
                                    Optional.ofNullable(mine.get(each.getValue())),
                                    List.of())));
        });
    }

    /** The page that shows a reply. */
    String path(Caller caller, PostId reply) {
        return db.read(reads -> require(reads, caller, reply)).answerPath();
    }

    private FeedbackSummary of(Reads reads, Caller caller, AgentRun run) {
        return new FeedbackSummary(
                store.tallies(reads, List.of(run.id())).getOrDefault(run.id(), ThumbCounts.NONE),
                store.find(reads, run, caller.user()),
                caller.admin() ? store.comments(reads, run, MAX_COMMENTS) : List.of());
    }

    private AgentRun require(Reads reads, Caller caller, PostId reply) {
        return store.run(reads, reply)
                .filter(run -> places.mayReadReply(reads, caller, run))
                .orElseThrow(AgentsProblem::replyNotFound);
    }

    /** Adds or replaces the caller's feedback. */
    FeedbackSummary put(Caller caller, PostId reply, boolean good, String comment) {
        var text = comment.replace("\u0000", "").strip();
        if (text.codePointCount(0, text.length()) > MAX_COMMENT) {
            throw AgentsProblem.invalid("comment", Text.of("agents.field.too-long", "max", MAX_COMMENT));
        }
        return db.inTransaction(tx -> {
            var run = require(tx, caller, reply);
            if (run.agent().equals(caller.user())) {
                throw AgentsProblem.ownReply();
            }
            store.put(tx, run, caller.user(), good, text);
            return of(tx, caller, run);
        });
    }

    /** Removes the caller's feedback, if there is any. */
    void remove(Caller caller, PostId reply) {
        db.useTransaction(tx -> store.delete(tx, require(tx, caller, reply), caller.user()));
    }

    Map<Long, ThumbCounts> tallies(Collection<Long> runs) {
        return db.read(reads -> store.tallies(reads, runs));
    }

    /** The feedback on all replies of an agent whose runs are kept. */
    ThumbCounts tally(UserId agent) {
        return db.read(reads -> store.tally(reads, agent));
    }
}
