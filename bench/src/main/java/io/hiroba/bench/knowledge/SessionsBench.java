package io.hiroba.bench.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;
import io.hiroba.bench.LoadClients;
import io.hiroba.knowledge.sessions.ChatSessions;
import io.hiroba.knowledge.sessions.MessageRole;
import io.hiroba.knowledge.sessions.NewMessage;
import io.hiroba.knowledge.sessions.SessionKey;
import io.hiroba.knowledge.sessions.SessionRef;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** The benchmark of appending messages to sessions of different lengths. Each round has new sessions. */
final class SessionsBench {

    private static final int CLIENTS = 4;
    private static final String TEXT =
            "A message as people write them, of about eighty characters, and no more than that.";

    private final ChunkData data;
    private final ChatSessions sessions;
    private final Caller owner = new Caller(new UserId(1), false, new Caller.BySession(new SessionId(1)), null);
    private int created;

    SessionsBench(ChunkData data) {
        this.data = data;
        sessions = new ChatSessions(data.db, data.ids(), Clock.systemUTC(), data.writer);
        data.run("""
                CREATE TABLE json_sessions (
                    session_key TEXT PRIMARY KEY, messages JSONB NOT NULL, version INT NOT NULL, last_active_at TIMESTAMPTZ)
                """);
    }

    /** The messages per second, appended to sessions of about {@code length} messages. */
    double ours(int length, double seconds) {
        var refs = IntStream.range(0, sessions(length))
                .mapToObj(i -> new SessionRef(owner.user(), new SessionKey("thread:" + created++)))
                .toList();
        var message = NewMessage.of(MessageRole.USER, TEXT);
        for (var ref : refs) {
            for (int done = 0; done < length; done += 100) {
                sessions.append(owner, ref, Collections.nCopies(Math.min(100, length - done), message), null);
            }
        }
        return LoadClients.rate(
                CLIENTS,
                seconds,
                number -> sessions.append(owner, refs.get((int) (number % refs.size())), List.of(message), null));
    }

    /** Enough sessions that none grows by much. */
    private static int sessions(int length) {
        return Math.clamp(80_000 / length, 8, 2_000);
    }

    /** The same with the design document's table: all messages of a session in one JSONB array. */
    double array(int length, double seconds) {
        var keys = IntStream.range(0, sessions(length))
                .mapToObj(i -> "array:" + created++)
                .toList();
        keys.forEach(key -> data.db.useTransaction(tx -> tx.update("""
                INSERT INTO json_sessions
                SELECT :key, jsonb_agg(jsonb_build_object('role', 'user', 'content', :text, 'timestamp', now())), 1, now()
                FROM generate_series(1, :length)
                """)
                .bind("key", key)
                .bind("text", TEXT)
                .bind("length", length)
                .execute()));
        return LoadClients.rate(
                CLIENTS,
                seconds,
                number -> data.db.useTransaction(tx -> tx.update("""
                        UPDATE json_sessions
                        SET messages = messages || jsonb_build_object('role', 'user', 'content', :text, 'timestamp', now()),
                            version = version + 1, last_active_at = now()
                        WHERE session_key = :key
                        """)
                        .bind("key", keys.get((int) (number % keys.size())))
                        .bind("text", TEXT)
                        .execute()));
    }
}
