package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.social.PostDraft;
import io.hiroba.social.PostId;
import io.hiroba.social.Posts;
import io.hiroba.social.messages.DirectMessage;
import io.hiroba.social.messages.DirectMessages;
import io.hiroba.social.messages.DirectMessages.MessageDraft;
import io.hiroba.social.messages.MessageId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The places where runs are asked and answer: posts with their replies, private threads, and steps of sagas. */
record RunPlaces(Posts posts, DirectMessages messages) {

    private static final int MAX_BEFORE = 10;
    private static final int MAX_LENGTH = 9_500;
    private static final AgentStepStore STEPS = new AgentStepStore();

    /**
     * A question as it was written.
     *
     * @param about the path of what is asked about
     * @param form the form of the answer; null for a text
     * @param data what is to be read besides; empty for nothing
     */
    record Asked(
            String content,
            @Nullable String about,
            @Nullable AnswerForm form,
            String data) {

        Asked(String content, @Nullable String about) {
            this(content, about, null, "");
        }
    }

    /** The question of a run; empty if it is gone, or its agent may not read it any more. */
    Optional<Asked> question(Reads reads, AgentRun run) {
        if (run.wokenBy() == Wake.STEP) {
            return STEPS.question(reads, run.id())
                    .map(asked -> new Asked(asked.prompt(), null, asked.form(), asked.data()));
        }
        return run.thread() == null
                ? posts.content(reads, run.agent(), run.post()).map(content -> new Asked(content, null))
                : message(reads, run).map(message -> new Asked(message.content(), about(reads, run, message)));
    }

    /** Whether the caller may read what answers a run, there where it is asked: in public, or as a member of the private thread. */
    boolean mayRead(Reads reads, Caller caller, AgentRun run) {
        return run.thread() == null
                ? posts.content(reads, caller.user(), run.post()).isPresent()
                        && !posts.isBlocked(reads, caller.user(), run.agent())
                : isInThread(reads, caller, message(run));
    }

    /** Whether the caller may read the post or message that ended a run. */
    boolean mayReadReply(Reads reads, Caller caller, AgentRun run) {
        var reply = run.reply();
        return reply != null
                && (run.thread() == null
                        ? posts.content(reads, caller.user(), reply).isPresent()
                        : isInThread(reads, caller, new MessageId(reply.value())));
    }

    private boolean isInThread(Reads reads, Caller caller, MessageId message) {
        return !caller.acting()
                && caller.allows(TokenScope.MESSAGES_READ)
                && !messages.find(reads, caller.user(), List.of(message)).isEmpty();
    }

    /**
     * The texts of questions as somebody sees them who may see the runs, by the ids of these: one statement for each kind of place. Those that
     * they may not read, or that are gone, are left out.
     */
    Map<Long, String> texts(Reads reads, UserId viewer, Collection<AgentRun> runs) {
        var byPlace = runs.stream().collect(Collectors.groupingBy(RunPlaces::place));
        var steps = byPlace.getOrDefault(Place.STEP, List.of());
        var texts = new HashMap<Long, String>();
        if (!steps.isEmpty()) {
            texts.putAll(STEPS.prompts(reads, steps.stream().map(AgentRun::id).toList()));
        }
        var onPosts = byPlace.getOrDefault(Place.POST, List.of());
        var contents = posts.contents(
                reads, viewer, onPosts.stream().map(AgentRun::post).distinct().toList());
        put(texts, onPosts, run -> contents.get(run.post()));
        var inThreads = byPlace.getOrDefault(Place.THREAD, List.of());
        var ids = inThreads.stream().map(RunPlaces::message).distinct().toList();
        var found = messages.find(reads, viewer, ids).stream()
                .collect(Collectors.toMap(DirectMessage::id, DirectMessage::content));
        put(texts, inThreads, run -> found.get(message(run)));
        return texts;
    }

    private static void put(
            Map<Long, String> texts, List<AgentRun> runs, Function<AgentRun, @Nullable String> content) {
        for (var run : runs) {
            var markdown = content.apply(run);
            if (markdown != null) {
                texts.put(run.id(), Markdown.text(markdown));
            }
        }
    }

    /** The kinds of places. */
    private enum Place {
        POST,
        THREAD,
        STEP
    }

    private static Place place(AgentRun run) {
        return run.wokenBy() == Wake.STEP ? Place.STEP : run.thread() == null ? Place.POST : Place.THREAD;
    }

    private static MessageId message(AgentRun run) {
        return new MessageId(run.post().value());
    }

    /** What the caller asks about: now, or else in the last messages before. */
    private @Nullable String about(Reads reads, AgentRun run, DirectMessage question) {
        return Stream.concat(
                        Stream.of(question),
                        messages.before(reads, run.agent(), question, MAX_BEFORE).reversed().stream())
                .filter(message -> message.sender().id().equals(run.caller()) && message.about() != null)
                .findFirst()
                .map(DirectMessage::about)
                .orElse(null);
    }

    private Optional<DirectMessage> message(Reads reads, AgentRun run) {
        return messages.find(reads, run.agent(), List.of(message(run))).stream().findFirst();
    }

    /**
     * Answers where a run was asked, in the transaction that ends it.
     *
     * @param failed whether it says why there is no answer, which a step is told by the run
     */
    PostId answer(Tx tx, AgentRun run, String text, boolean failed) {
        if (run.wokenBy() == Wake.STEP) {
            if (!failed) {
                STEPS.setAnswer(tx, run.id(), text);
            }
            return run.post();
        }
        return say(tx, run, cut(text));
    }

    private static String cut(String text) {
        return text.codePointCount(0, text.length()) > MAX_LENGTH
                ? text.substring(0, text.offsetByCodePoints(0, MAX_LENGTH)) + "…"
                : text;
    }

    private PostId say(Tx tx, AgentRun run, String text) {
        var agent = Librarian.member(run.agent());
        var thread = run.thread();
        return thread == null
                ? posts.create(tx, agent, PostDraft.of(text).inReplyTo(run.post()))
                        .card()
                        .id()
                : new PostId(messages.send(tx, agent, thread, MessageDraft.of(text))
                        .id()
                        .value());
    }
}
