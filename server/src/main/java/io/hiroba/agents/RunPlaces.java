package io.hiroba.agents;

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
import java.util.Optional;
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
     */
    record Asked(
            String content,
            @Nullable String about,
            @Nullable AnswerForm form) {

        Asked(String content, @Nullable String about) {
            this(content, about, null);
        }
    }

    /** The question of a run; empty if it is gone, or its agent may not read it any more. */
    Optional<Asked> question(Reads reads, AgentRun run) {
        if (run.wokenBy() == Wake.STEP) {
            return STEPS.question(reads, run.id()).map(asked -> new Asked(asked.prompt(), null, asked.form()));
        }
        return run.thread() == null
                ? posts.content(reads, run.agent(), run.post()).map(content -> new Asked(content, null))
                : message(reads, run).map(message -> new Asked(message.content(), about(reads, run, message)));
    }

    /** The text of a question as somebody sees it who may see the run; empty if they may not read it, or it is gone. */
    Optional<String> text(Reads reads, UserId viewer, AgentRun run) {
        if (run.wokenBy() == Wake.STEP) {
            return STEPS.question(reads, run.id()).map(AgentStepStore.StepQuestion::prompt);
        }
        var content = run.thread() == null
                ? posts.content(reads, viewer, run.post())
                : messages.find(reads, viewer, new MessageId(run.post().value()))
                        .map(DirectMessage::content);
        return content.map(Markdown::text);
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
        return messages.find(reads, run.agent(), new MessageId(run.post().value()));
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
