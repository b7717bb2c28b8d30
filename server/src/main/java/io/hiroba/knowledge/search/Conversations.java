package io.hiroba.knowledge.search;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.KnowledgeReader;
import io.hiroba.knowledge.search.Conversation.AnswerState;
import io.hiroba.knowledge.search.Conversation.Exchange;
import io.hiroba.knowledge.search.ConversationStore.ReadablePassage;
import io.hiroba.knowledge.search.ConversationStore.Reference;
import io.hiroba.knowledge.search.ConversationStore.Row;
import io.hiroba.knowledge.search.KnowledgeSearchRoutes.FilterRequest;
import io.hiroba.knowledge.search.QuestionAnswering.Question;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.Passage;
import io.hiroba.platform.text.VisibleText;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Conversations with the assistant. They are their owner's alone, admins included, unless the owner shares them; others then
 * read the questions and answers, and of the passages those that they may read themselves.
 */
public final class Conversations {

    public static final int MAX_TITLE_LENGTH = 200;

    /** The maximum number of questions, so that a conversation is read at once. */
    static final int MAX_EXCHANGES = 100;

    private static final int SHORT_TITLE = 80;
    private static final int SNIPPET_LENGTH = 240;

    private final Db db;
    private final IdGenerator ids;
    private final Clock clock;
    private final QuestionAnswering answers;
    private final ConversationStore store = new ConversationStore();

    Conversations(Db db, IdGenerator ids, Clock clock, QuestionAnswering answers) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.answers = answers;
    }

    /**
     * Creates a conversation.
     *
     * @param title null for that of the first question
     * @param question waits for its answer until {@link #regenerate}; null for none
     */
    public Conversation create(
            Caller caller, @Nullable String title, @Nullable String question, SearchFilters filters) {
        return db.inTransaction(tx -> create(tx, caller, title, question, filters));
    }

    Conversation create(
            Tx tx, Caller caller, @Nullable String title, @Nullable String question, SearchFilters filters) {
        var asked = question == null ? null : question(question, filters, Language.ENGLISH);
        var conversation = store.insert(
                tx,
                new ConversationId(ids.next()),
                caller.user(),
                title == null ? "" : checked(title),
                Json.text(FilterRequest.of(filters)),
                now());
        if (asked == null) {
            return conversation;
        }
        add(tx, conversation, asked);
        return own(tx, caller, conversation.id());
    }

    /** The caller's conversations by last activity, the latest first. */
    private List<Conversation> list(Caller caller, Optional<Conversation.Position> after, int limit) {
        return db.read(reads -> store.list(reads, caller.user(), after, limit));
    }

    /**
     * A conversation that has the words of a search.
     *
     * @param text the latest question and answer with these words; empty if none were asked for
     */
    public record FoundConversation(Conversation conversation, String text) {}

    /** The caller's conversations in which a question with its answer, or the title, has all words; without any, all. */
    public List<FoundConversation> find(
            Caller caller, SearchWords words, Optional<Conversation.Position> after, int limit) {
        return words.isEmpty()
                ? list(caller, after, limit).stream()
                        .map(each -> new FoundConversation(each, ""))
                        .toList()
                : db.read(reads -> store.search(reads, caller.user(), words, after, limit));
    }

    /**
     * A conversation of the caller's, or one that was shared.
     *
     * @param language of what is said about what was left out
     */
    public Conversation.Opened open(Caller caller, ConversationId id, Language language) {
        return db.read(reads -> {
            var conversation = readable(reads, caller, id);
            var all = exchanges(reads, KnowledgeReader.of(caller), store.exchanges(reads, conversation.id()));
            boolean isOwner = conversation.owner().equals(caller.user());
            return new Conversation.Opened(
                    conversation,
                    isOwner
                            ? all
                            : all.stream()
                                    .map(each -> each.withoutHidden(language))
                                    .toList());
        });
    }

    private Conversation readable(Reads reads, Caller caller, ConversationId id) {
        return store.find(reads, caller.user(), id).orElseThrow(KnowledgeProblem::noConversation);
    }

    /** Changes what is not null. */
    public Conversation change(Caller caller, ConversationId id, @Nullable String title, @Nullable Boolean isShared) {
        return db.inTransaction(tx -> {
            var known = own(tx, caller, id);
            return store.update(
                    tx,
                    id,
                    title == null ? known.title() : checked(title),
                    isShared == null ? known.isShared() : isShared);
        });
    }

    public void delete(Caller caller, ConversationId id) {
        db.useTransaction(tx -> {
            if (!store.delete(tx, caller.user(), id)) {
                throw KnowledgeProblem.noConversation();
            }
        });
    }

    /** Adds a question to a conversation of the caller's; it stays, whatever becomes of its answer. */
    public PendingExchange ask(Caller caller, ConversationId id, String text, Language language) {
        var filters = requireOwn(caller, id).filters();
        var question = question(text, filters, language);
        answers.admit(caller);
        var attempt = db.inTransaction(tx -> {
            var conversation = own(tx, caller, id);
            requireQuiet(tx, id);
            if (conversation.exchangeCount() >= MAX_EXCHANGES) {
                throw new KnowledgeProblem(Kind.CONFLICT, "conversation-full", "max", MAX_EXCHANGES);
            }
            add(tx, conversation, question);
            return store.claim(tx, id, conversation.exchangeCount(), PendingExchange.lease(now()));
        });
        return new PendingExchange(db, clock, answers, this, caller, question, attempt);
    }

    /** Answers the last question of a conversation of the caller's anew, in the place of the answer that it has. */
    public PendingExchange regenerate(Caller caller, ConversationId id, Language language) {
        var filters = requireOwn(caller, id).filters();
        // What there is no answer to does not count against the rate limit.
        db.read(reads -> last(reads, id));
        answers.admit(caller);
        return db.inTransaction(tx -> {
            own(tx, caller, id);
            requireQuiet(tx, id);
            var last = last(tx, id);
            var attempt = store.claim(tx, id, last.index(), PendingExchange.lease(now()));
            var question = question(last.question(), filters, language);
            return new PendingExchange(db, clock, answers, this, caller, question, attempt);
        });
    }

    /** Stops the answer under way, whichever node is at it; what was said until then stays. */
    public void stop(Caller caller, ConversationId id) {
        db.useTransaction(tx -> {
            own(tx, caller, id);
            store.stop(tx, id);
        });
    }

    private Row last(Reads reads, ConversationId id) {
        return store.last(reads, id).orElseThrow(() -> new KnowledgeProblem(Kind.CONFLICT, "conversation-empty"));
    }

    private void add(Tx tx, Conversation conversation, Question question) {
        var title = conversation.title().isEmpty() ? shortened(question.text()) : conversation.title();
        store.add(tx, conversation, question.text(), title, now());
    }

    private Conversation requireOwn(Caller caller, ConversationId id) {
        var conversation = db.read(reads -> readable(reads, caller, id));
        if (!conversation.owner().equals(caller.user())) {
            throw KnowledgeProblem.notYours();
        }
        return conversation;
    }

    private Conversation own(Tx tx, Caller caller, ConversationId id) {
        return store.lock(tx, caller.user(), id).orElseThrow(() -> {
            readable(tx, caller, id);
            return KnowledgeProblem.notYours();
        });
    }

    private void requireQuiet(Tx tx, ConversationId id) {
        if (store.last(tx, id)
                .filter(last -> last.state(now()) == AnswerState.ANSWERING)
                .isPresent()) {
            throw new KnowledgeProblem(Kind.CONFLICT, "conversation-busy");
        }
    }

    private static Question question(String text, SearchFilters filters, Language language) {
        return new Question(text, null, filters, language);
    }

    private static String checked(String title) {
        var clean = Analysis.clean(title).strip();
        if (VisibleText.isBlank(clean) || clean.codePointCount(0, clean.length()) > MAX_TITLE_LENGTH) {
            throw KnowledgeProblem.invalid("title", Text.of("knowledge.field.title", "max", MAX_TITLE_LENGTH));
        }
        return clean;
    }

    private static String shortened(String question) {
        return Passage.of(question, List.of(), SHORT_TITLE).stream()
                .map(Passage.Piece::text)
                .collect(Collectors.joining());
    }

    Exchange exchange(Caller caller, ConversationId id, int index, Language language) {
        return open(caller, id, language).exchanges().stream()
                .filter(exchange -> exchange.index() == index)
                .findFirst()
                .orElseThrow(KnowledgeProblem::noConversation);
    }

    /** The exchanges before {@code index}, without their passages. */
    List<Exchange> before(ConversationId id, int index) {
        return db.read(reads -> store.exchanges(reads, id)).stream()
                .filter(row -> row.index() < index)
                .map(row -> exchange(row, Map.of()))
                .toList();
    }

    /** The passages are read for this reader, who need not be the one who asked. */
    private List<Exchange> exchanges(Reads reads, KnowledgeReader reader, List<Row> rows) {
        var references = rows.stream()
                .flatMap(row -> row.references().stream())
                .map(each -> new Reference(0, each.source(), each.chunk()))
                .distinct()
                .toList();
        var readable = references.isEmpty()
                ? Map.<String, ReadablePassage>of()
                : store.readable(reads, reader, references).stream()
                        .collect(Collectors.toMap(
                                each -> key(each.source().hex(), each.chunk().hex()), each -> each));
        return rows.stream().map(row -> exchange(row, readable)).toList();
    }

    private static String key(String source, String chunk) {
        return source + ":" + chunk;
    }

    private Exchange exchange(Row row, Map<String, ReadablePassage> readable) {
        var phrases = QuestionWords.phrases(row.question());
        var citations = row.references().stream()
                .flatMap(each -> Optional.ofNullable(readable.get(key(each.source(), each.chunk())))
                        .map(found -> new Citation(
                                each.number(),
                                new SearchHit(
                                        found.chunk(),
                                        found.source(),
                                        found.title(),
                                        found.type(),
                                        1,
                                        Passage.of(found.content(), phrases, SNIPPET_LENGTH),
                                        found.content(),
                                        url(found),
                                        found.label())))
                        .stream())
                .toList();
        return new Exchange(
                row.index(),
                row.question(),
                row.askedAt(),
                row.state(now()),
                row.isGenerated(),
                row.answer(),
                row.why(),
                citations,
                row.references().stream()
                        .filter(each -> !readable.containsKey(key(each.source(), each.chunk())))
                        .map(Reference::number)
                        .toList());
    }

    private static String url(ReadablePassage found) {
        return found.url() == null
                ? "/knowledge/sources/%s?chunk=%s"
                        .formatted(found.source().hex(), found.chunk().hex())
                : found.url();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
