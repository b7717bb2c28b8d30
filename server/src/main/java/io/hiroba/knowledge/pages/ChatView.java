package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.search.Citation;
import io.hiroba.knowledge.search.Conversation;
import io.hiroba.knowledge.search.Conversation.AnswerState;
import io.hiroba.knowledge.search.Conversation.Exchange;
import io.hiroba.knowledge.search.Conversations.FoundConversation;
import io.hiroba.knowledge.search.SearchFilters;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.platform.text.Passage;
import io.hiroba.platform.text.Passage.Piece;
import io.hiroba.platform.text.ScriptLanguage;
import io.hiroba.platform.web.SafeHtml;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A conversation on its page.
 *
 * @param isMine whether the reader is its owner; others only read
 * @param isFiltered whether it is about a part of the sources only
 */
public record ChatView(
        String path, Text title, boolean isMine, boolean isShared, boolean isFiltered, List<Entry> entries) {

    private static final int SNIPPET_LENGTH = 160;

    public ChatView {
        entries = List.copyOf(entries);
    }

    static ChatView of(Conversation.Opened opened, Caller caller) {
        var conversation = opened.conversation();
        boolean isMine = conversation.owner().equals(caller.user());
        int last = opened.exchanges().size() - 1;
        return new ChatView(
                KnowledgePaths.chat(conversation.id()),
                title(conversation),
                isMine,
                conversation.isShared(),
                !conversation.filters().equals(SearchFilters.NONE),
                opened.exchanges().stream()
                        .map(exchange -> Entry.of(exchange, isMine && exchange.index() == last))
                        .toList());
    }

    private static Text title(Conversation conversation) {
        return conversation.title().isEmpty()
                ? Text.of("knowledge.chat.untitled")
                : Text.verbatim(conversation.title());
    }

    /** Whether an answer is under way, here or in another window. */
    public boolean isBusy() {
        return !entries.isEmpty() && entries.getLast().isAnswering();
    }

    /**
     * A row of the list of conversations.
     *
     * @param snippet the part of it that matches; empty if nothing was searched for
     */
    public record Row(
            String path,
            Text title,
            boolean isShared,
            String questions,
            String when,
            String exact,
            List<Piece> snippet) {

        public Row {
            snippet = List.copyOf(snippet);
        }

        static Row of(FoundConversation found, SearchWords words, Reader reader) {
            var conversation = found.conversation();
            return new Row(
                    KnowledgePaths.chat(conversation.id()),
                    ChatView.title(conversation),
                    conversation.isShared(),
                    reader.text("knowledge.chat.questions", "count", conversation.exchangeCount()),
                    reader.ago(conversation.lastActiveAt()),
                    reader.exact(conversation.lastActiveAt()),
                    words.isEmpty() ? List.of() : Passage.containing(found.text(), words.words(), SNIPPET_LENGTH));
        }
    }

    /**
     * A question with its answer.
     *
     * @param hidden the numbers of cited passages that the reader may not read
     * @param note why the answer is missing or incomplete
     * @param isRegenerable whether the reader can have it answered anew
     */
    public record Entry(
            int index,
            String question,
            AnswerState state,
            boolean isGenerated,
            SafeHtml html,
            List<Cited> citations,
            List<Integer> hidden,
            @Nullable Text note,
            boolean isRegenerable) {

        public Entry {
            citations = List.copyOf(citations);
            hidden = List.copyOf(hidden);
        }

        static Entry of(Exchange exchange, boolean isRegenerable) {
            var citations = Cited.of(exchange.citations());
            return new Entry(
                    exchange.index(),
                    exchange.question(),
                    exchange.state(),
                    exchange.isGenerated(),
                    AnswerText.of(exchange.answer(), citations).html(),
                    citations,
                    exchange.hidden(),
                    exchange.why(),
                    isRegenerable);
        }

        /** The same with the passages that its answer may cite. */
        Entry searching(List<Cited> found) {
            return new Entry(index, question, state, isGenerated, html, found, hidden, note, false);
        }

        public boolean isAnswering() {
            return state == AnswerState.ANSWERING;
        }

        public boolean isWaiting() {
            return state == AnswerState.WAITING;
        }

        /** Whether nothing was found to answer from. */
        public boolean isNotFound() {
            return state == AnswerState.ANSWERED
                    && !isGenerated
                    && note != null
                    && citations.isEmpty()
                    && hidden.isEmpty();
        }

        /** Whether nothing was asked, so that nothing was searched for. */
        private boolean isNoQuestion() {
            return state == AnswerState.ANSWERED && !isGenerated && note == null && citations.isEmpty();
        }

        /** The badge of the answer. */
        public Text kind() {
            return switch (state) {
                case WAITING -> Text.of("knowledge.chat.kind-waiting");
                case ANSWERING -> Text.of("knowledge.answer.kind-in-progress");
                case STOPPED -> Text.of("knowledge.chat.kind-stopped");
                case INTERRUPTED -> Text.of("knowledge.chat.kind-interrupted");
                case ANSWERED ->
                    isGenerated
                            ? Text.of("knowledge.answer.kind-generated")
                            : isNotFound()
                                    ? Text.of("knowledge.chat.kind-not-found")
                                    : isNoQuestion()
                                            ? Text.of("knowledge.chat.kind-no-question")
                                            : Text.of("knowledge.chat.kind-extracted");
            };
        }

        public boolean isPlain() {
            return state == AnswerState.ANSWERED && isGenerated;
        }

        /** The heading of the passages. */
        public Text heading() {
            return isAnswering() && html.isEmpty()
                    ? Text.of("knowledge.answer.heading-in-progress")
                    : Text.of("knowledge.answer.sources");
        }
    }

    /**
     * A passage that an answer may cite.
     *
     * @param number the number of its citations
     * @param place where it stands in its source
     * @param lang the language tag of its text, if its script tells it
     * @param path the chunk on its source's page
     * @param context the chunk with its neighbours, as an HTML fragment
     */
    public record Cited(
            int number,
            String title,
            Text place,
            List<Piece> snippet,
            @Nullable String lang,
            String path,
            String context) {

        public Cited {
            snippet = List.copyOf(snippet);
        }

        static List<Cited> of(List<Citation> chunks) {
            return chunks.stream().map(Cited::of).toList();
        }

        private static Cited of(Citation citation) {
            var hit = citation.hit();
            return new Cited(
                    citation.number(),
                    hit.sourceTitle(),
                    ChunkLocation.text(hit.label()),
                    hit.snippet(),
                    ScriptLanguage.tag(hit.content()),
                    KnowledgePaths.chunk(hit.source(), hit.chunk()),
                    KnowledgePaths.chunkContext(hit.source(), hit.chunk()));
        }
    }
}
