package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.TestKnowledge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Sessions and archivers for tests, and what has become of sessions. */
final class TestChatSessions implements AutoCloseable {

    final TestKnowledge knowledge = new TestKnowledge();
    final ChatSessions sessions = sessions(knowledge.accounts.clock);
    final SessionArchiver archiver = archiver(knowledge.accounts.clock, Duration.ofHours(1), 4000);

    ChatSessions sessions(Clock clock) {
        return new ChatSessions(knowledge.db, knowledge.accounts.lease.ids(), clock, knowledge.writer);
    }

    SessionArchiver archiver(Clock clock, Duration idle, int chunkTokens) {
        return new SessionArchiver(
                knowledge.db,
                clock,
                knowledge.writer,
                new ArchiveConfig(idle, Duration.ofHours(1), 10, chunkTokens),
                new SimpleMeterRegistry());
    }

    static SessionRef ref(Caller owner, String key) {
        return new SessionRef(owner.user(), SessionKey.parse(key));
    }

    SessionCorrections corrections() {
        return new SessionCorrections(knowledge.db, knowledge.writer, 4000);
    }

    void say(Caller owner, String key, String... contents) {
        sessions.append(
                owner,
                ref(owner, key),
                Arrays.stream(contents)
                        .map(content -> NewMessage.of(MessageRole.USER, content))
                        .toList(),
                null);
    }

    void pass(Duration time) {
        knowledge.accounts.clock.advance(time);
    }

    ChatSession session(Caller owner, String key) {
        return sessions.get(owner, ref(owner, key));
    }

    /** A source of a session. */
    record Made(long id, String title, boolean isPublic, JsonNode metadata, List<Chunk> chunks) {

        int first() {
            return metadata.path("first_message_index").asInt();
        }

        int end() {
            return first() + metadata.path("message_count").asInt();
        }
    }

    record Chunk(String content, JsonNode location) {

        String label() {
            return location.path("label").asString();
        }

        String url() {
            return location.path("url").asString();
        }
    }

    /** The sources of an owner's sessions in the order of what was said. */
    List<Made> made(UserId owner) {
        return knowledge.db.read(reads -> reads.query("""
                SELECT id, title, is_public, metadata
                FROM knowledge.knowledge_sources
                WHERE owned_by = :owner AND type = 'discord_session'
                ORDER BY metadata ->> 'origin_session_key', (metadata ->> 'first_message_index')::int
                """)
                .bind("owner", owner.value())
                .map(row -> new Made(
                        row.getLong("id"),
                        row.getString("title"),
                        row.getBoolean("is_public"),
                        Json.mapper().readTree(row.getString("metadata")),
                        chunks(row.getLong("id"))))
                .list());
    }

    private List<Chunk> chunks(long source) {
        return knowledge.db.read(reads -> reads.query("""
                SELECT content, location FROM knowledge.knowledge_chunks WHERE source_id = :source ORDER BY position
                """)
                .bind("source", source)
                .map(row -> new Chunk(row.getString("content"), Json.mapper().readTree(row.getString("location"))))
                .list());
    }

    @Override
    public void close() {
        knowledge.close();
    }
}
