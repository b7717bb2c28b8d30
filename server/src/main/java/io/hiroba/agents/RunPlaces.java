package io.hiroba.agents;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
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

/** The places where runs are asked and answer: posts with their replies, and private threads. */
record RunPlaces(Posts posts, DirectMessages messages) {

    private static final int MAX_BEFORE = 10;

    /**
     * A question as it was written.
     *
     * @param about the path of what is asked about
     */
    record Asked(String content, @Nullable String about) {}

    /** The question of a run; empty if it is gone, or its agent may not read it any more. */
    Optional<Asked> question(Reads reads, AgentRun run) {
        return run.thread() == null
                ? posts.content(reads, run.agent(), run.post()).map(content -> new Asked(content, null))
                : message(reads, run).map(message -> new Asked(message.content(), about(reads, run, message)));
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

    /** Answers where a run was asked, in the transaction that ends it. */
    PostId answer(Tx tx, AgentRun run, String text) {
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
