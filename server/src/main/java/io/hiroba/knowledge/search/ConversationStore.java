package io.hiroba.knowledge.search;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.KnowledgeReader;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.search.Conversation.AnswerState;
import io.hiroba.knowledge.search.Conversations.FoundConversation;
import io.hiroba.knowledge.search.KnowledgeSearchRoutes.FilterRequest;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.search.SearchWords;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and writes conversations and their exchanges. */
final class ConversationStore {

    private static final String COLUMNS =
            "id, owned_by, title, is_shared, filters, exchange_count, created_at, last_active_at";

    private static final String AFTER = " AND (last_active_at, id) < (:at, :id)";

    /** The conversations that a page of a search looks through, the latest first. */
    private static final int MAX_SEARCHED = 1000;

    private static final String EXCHANGE =
            "exchange_index, question, asked_at, state, answering_until, is_generated, answer, why, citations";

    /** A passage of an answer, as it is stored. */
    record Reference(int number, String source, String chunk) {}

    /** A row of an exchange. */
    record Row(
            int index,
            String question,
            Instant askedAt,
            AnswerState state,
            @Nullable Instant answeringUntil,
            boolean isGenerated,
            String answer,
            @Nullable Text why,
            List<Reference> references) {

        /** The state at {@code now}: who answered and let the lease end is gone. */
        AnswerState state(Instant now) {
            boolean isOver = answeringUntil != null && answeringUntil.isBefore(now);
            return state == AnswerState.ANSWERING && isOver ? AnswerState.INTERRUPTED : state;
        }
    }

    /** A passage that the reader may read. */
    record ReadablePassage(
            SourceId source,
            ChunkId chunk,
            String title,
            SourceType type,
            String content,
            @Nullable String url,
            String label) {}

    /** The exchange that an attempt to answer is about; writes of an earlier attempt change nothing. */
    record Attempt(ConversationId conversation, int index, int number) {}

    Conversation insert(Tx tx, ConversationId id, UserId owner, String title, String filters, Instant now) {
        return tx.query("""
                INSERT INTO knowledge.conversations (id, owned_by, title, filters, created_at, last_active_at)
                VALUES (:id, :owner, :title, CAST(:filters AS jsonb), :now, :now)
                RETURNING %s
                """.formatted(COLUMNS))
                .bind("id", id.value())
                .bind("owner", owner.value())
                .bind("title", title)
                .bind("filters", filters)
                .bind("now", now)
                .map(ConversationStore::conversation)
                .one();
    }

    /** A conversation of the reader's, or a shared one. */
    Optional<Conversation> find(Reads reads, UserId reader, ConversationId id) {
        return reads.query("""
                SELECT %s FROM knowledge.conversations
                WHERE id = :id AND (owned_by = :reader OR is_shared)
                """.formatted(COLUMNS))
                .bind("id", id.value())
                .bind("reader", reader.value())
                .map(ConversationStore::conversation)
                .findOne();
    }

    Optional<Conversation> lock(Tx tx, UserId owner, ConversationId id) {
        return tx.query("""
                SELECT %s FROM knowledge.conversations
                WHERE id = :id AND owned_by = :owner
                FOR UPDATE
                """.formatted(COLUMNS))
                .bind("id", id.value())
                .bind("owner", owner.value())
                .map(ConversationStore::conversation)
                .findOne();
    }

    List<Conversation> list(Reads reads, UserId owner, Optional<Conversation.Position> after, int limit) {
        return list(reads, "", owner, after, limit)
                .map(ConversationStore::conversation)
                .list();
    }

    static Query list(Reads reads, String lead, UserId owner, Optional<Conversation.Position> after, int limit) {
        var query = reads.query("""
                %sSELECT %s FROM knowledge.conversations
                WHERE owned_by = :owner%s
                ORDER BY last_active_at DESC, id DESC
                LIMIT :limit
                """.formatted(lead, COLUMNS, after.isPresent() ? AFTER : ""))
                .bind("owner", owner.value())
                .bind("limit", limit);
        return after.map(position -> at(query, position)).orElse(query);
    }

    /** Conversations of one owner by the folded words of a question with its answer; like sessions, they have no index of words. */
    List<FoundConversation> search(
            Reads reads, UserId owner, SearchWords words, Optional<Conversation.Position> after, int limit) {
        return search(reads, "", owner, words, after, limit)
                .map(row -> new FoundConversation(conversation(row), row.getString("text")))
                .list();
    }

    static Query search(
            Reads reads,
            String lead,
            UserId owner,
            SearchWords words,
            Optional<Conversation.Position> after,
            int limit) {
        var query = reads.query("""
                %sSELECT %s, e.text
                FROM (SELECT %s FROM knowledge.conversations
                      WHERE owned_by = :owner%s
                      ORDER BY last_active_at DESC, id DESC
                      LIMIT :searched) AS c
                CROSS JOIN LATERAL (
                      SELECT concat_ws(E'\n\n', x.question, x.answer) AS text
                      FROM knowledge.conversation_exchanges x
                      WHERE x.conversation_id = c.id
                        AND normalize(concat_ws(' ', c.title, x.question, x.answer), NFKC) ILIKE ALL (:patterns)
                      ORDER BY x.exchange_index DESC
                      LIMIT 1) AS e
                ORDER BY last_active_at DESC, id DESC
                LIMIT :limit
                """.formatted(lead, COLUMNS, COLUMNS, after.isPresent() ? AFTER : ""))
                .bind("owner", owner.value())
                .bindArray("patterns", String.class, words.patterns())
                .bind("searched", MAX_SEARCHED)
                .bind("limit", limit);
        return after.map(position -> at(query, position)).orElse(query);
    }

    private static Query at(Query query, Conversation.Position position) {
        return query.bind("at", position.lastActiveAt())
                .bind("id", position.id().value());
    }

    Conversation update(Tx tx, ConversationId id, String title, boolean isShared) {
        return tx.query("""
                UPDATE knowledge.conversations SET title = :title, is_shared = :shared
                WHERE id = :id
                RETURNING %s
                """.formatted(COLUMNS))
                .bind("id", id.value())
                .bind("title", title)
                .bind("shared", isShared)
                .map(ConversationStore::conversation)
                .one();
    }

    boolean delete(Tx tx, UserId owner, ConversationId id) {
        return tx.update("DELETE FROM knowledge.conversations WHERE id = :id AND owned_by = :owner")
                        .bind("id", id.value())
                        .bind("owner", owner.value())
                        .execute()
                == 1;
    }

    List<Row> exchanges(Reads reads, ConversationId id) {
        return reads.query("""
                SELECT %s FROM knowledge.conversation_exchanges
                WHERE conversation_id = :id
                ORDER BY exchange_index
                """.formatted(EXCHANGE))
                .bind("id", id.value())
                .map(ConversationStore::exchange)
                .list();
    }

    Optional<Row> last(Reads reads, ConversationId id) {
        return reads.query("""
                SELECT %s FROM knowledge.conversation_exchanges
                WHERE conversation_id = :id
                ORDER BY exchange_index DESC
                LIMIT 1
                """.formatted(EXCHANGE))
                .bind("id", id.value())
                .map(ConversationStore::exchange)
                .findOne();
    }

    /** Adds a question that waits for its answer; the first one gives an untitled conversation its title. */
    void add(Tx tx, Conversation conversation, String question, String title, Instant now) {
        tx.update("""
                WITH conversation AS (
                    UPDATE knowledge.conversations
                    SET exchange_count = exchange_count + 1, last_active_at = greatest(last_active_at, :now), title = :title
                    WHERE id = :id
                    RETURNING id, exchange_count - 1 AS place
                )
                INSERT INTO knowledge.conversation_exchanges (conversation_id, exchange_index, question, asked_at, state)
                SELECT id, place, :question, :now, 'waiting' FROM conversation
                """)
                .bind("id", conversation.id().value())
                .bind("question", question)
                .bind("title", title)
                .bind("now", now)
                .execute();
    }

    /** Begins to answer anew. */
    Attempt claim(Tx tx, ConversationId id, int index, Instant until) {
        int attempt = tx.query("""
                UPDATE knowledge.conversation_exchanges
                SET former = CASE WHEN state = 'answered' AND is_generated
                                  THEN jsonb_build_object('answer', answer, 'why', why, 'citations', citations) ELSE former END,
                    state = 'answering', attempt = attempt + 1, answering_until = :until, is_generated = false, answer = '',
                    why = NULL, citations = '[]'::jsonb
                WHERE conversation_id = :id AND exchange_index = :index
                RETURNING attempt
                """)
                .bind("id", id.value())
                .bind("index", index)
                .bind("until", until)
                .mapTo(Integer.class)
                .one();
        return new Attempt(id, index, attempt);
    }

    /** Writes what was said so far and extends the lease; false if somebody stopped, replaced or deleted the answer. */
    boolean save(Tx tx, Attempt attempt, String answer, Instant until) {
        return tx.query("""
                UPDATE knowledge.conversation_exchanges
                SET answer = :answer, is_generated = true, answering_until = :until
                WHERE conversation_id = :id AND exchange_index = :index AND attempt = :attempt
                  AND state IN ('answering', 'stopped')
                RETURNING state
                """)
                .bind("answer", answer)
                .bind("until", until)
                .bind("id", attempt.conversation().value())
                .bind("index", attempt.index())
                .bind("attempt", attempt.number())
                .mapTo(String.class)
                .findOne()
                .filter(state -> state.equals("answering"))
                .isPresent();
    }

    /** Brings the answer of before back where a new one failed for this reason; false if there was none. */
    boolean restore(Tx tx, Attempt attempt, @Nullable Text why) {
        return tx.update("""
                UPDATE knowledge.conversation_exchanges
                SET state = 'answered', answering_until = NULL, is_generated = true, answer = former ->> 'answer',
                    why = coalesce(:why, former ->> 'why'), citations = former -> 'citations', former = NULL
                WHERE conversation_id = :id AND exchange_index = :index AND attempt = :attempt AND state = 'answering'
                  AND former IS NOT NULL
                """)
                        .bind("why", stored(why))
                        .bind("id", attempt.conversation().value())
                        .bind("index", attempt.index())
                        .bind("attempt", attempt.number())
                        .execute()
                == 1;
    }

    /** Writes the end of an answer, unless it was replaced; one that was stopped meanwhile stays so. */
    void finish(Tx tx, Attempt attempt, AnswerState state, Reply reply, List<Reference> references) {
        tx.update("""
                UPDATE knowledge.conversation_exchanges
                SET state = CASE state WHEN 'answering' THEN :state ELSE state END, answering_until = NULL, former = NULL,
                    is_generated = :generated, answer = :answer, why = :why, citations = CAST(:citations AS jsonb)
                WHERE conversation_id = :id AND exchange_index = :index AND attempt = :attempt
                  AND state IN ('answering', 'stopped')
                """)
                .bind("state", state.name().toLowerCase(Locale.ROOT))
                .bind("generated", reply.mode() == Reply.Mode.MODEL)
                .bind("answer", reply.text())
                .bind("why", stored(reply.why()))
                .bind("citations", Json.text(references))
                .bind("id", attempt.conversation().value())
                .bind("index", attempt.index())
                .bind("attempt", attempt.number())
                .execute();
    }

    /** Marks the answer under way, if any; whoever answers notices when it is saved next. */
    void stop(Tx tx, ConversationId id) {
        tx.update("""
                UPDATE knowledge.conversation_exchanges SET state = 'stopped'
                WHERE conversation_id = :id AND state = 'answering'
                """).bind("id", id.value()).execute();
    }

    /** Those of the passages that the reader may read and that are still there. */
    List<ReadablePassage> readable(Reads reads, KnowledgeReader reader, List<Reference> references) {
        return reads.query("""
                SELECT t.source_id, t.id, s.title, s.type, t.content, t.location ->> 'url' AS url,
                       t.location ->> 'label' AS label
                FROM unnest(:sources, :chunks) AS r (source_id, chunk_id)
                JOIN knowledge.knowledge_chunks t ON t.source_id = r.source_id AND t.id = r.chunk_id
                JOIN knowledge.knowledge_sources s ON s.id = t.source_id
                WHERE %s
                """.formatted(SearchStore.VISIBLE))
                .bindArray(
                        "sources",
                        Long.class,
                        references.stream()
                                .map(each -> SourceId.parse(each.source()).value())
                                .toArray())
                .bindArray(
                        "chunks",
                        Long.class,
                        references.stream()
                                .map(each -> ChunkId.parse(each.chunk()).value())
                                .toArray())
                .bind("caller", reader.user().value())
                .bind("records", reader.records())
                .bind("resources", reader.resources())
                .map(row -> new ReadablePassage(
                        new SourceId(row.getLong("source_id")),
                        new ChunkId(row.getLong("id")),
                        row.getString("title"),
                        SourceType.valueOf(row.getString("type").toUpperCase(Locale.ROOT)),
                        row.getString("content"),
                        row.getString("url"),
                        row.getString("label")))
                .list();
    }

    private static Conversation conversation(ResultSet row) throws SQLException {
        return new Conversation(
                new ConversationId(row.getLong("id")),
                new UserId(row.getLong("owned_by")),
                row.getString("title"),
                row.getBoolean("is_shared"),
                Json.mapper()
                        .readValue(row.getString("filters"), FilterRequest.class)
                        .filters(),
                row.getInt("exchange_count"),
                Columns.instant(row, "created_at"),
                Columns.instant(row, "last_active_at"));
    }

    private static Row exchange(ResultSet row) throws SQLException {
        return new Row(
                row.getInt("exchange_index"),
                row.getString("question"),
                Columns.instant(row, "asked_at"),
                AnswerState.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                Columns.instantOrNull(row, "answering_until"),
                row.getBoolean("is_generated"),
                row.getString("answer"),
                why(row),
                Arrays.asList(Json.mapper().readValue(row.getString("citations"), Reference[].class)));
    }

    private static @Nullable String stored(@Nullable Text why) {
        return why == null ? null : StoredText.write(why);
    }

    private static @Nullable Text why(ResultSet row) throws SQLException {
        @Nullable String stored = row.getString("why");
        return stored == null ? null : StoredText.read(stored);
    }
}
