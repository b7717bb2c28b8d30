package io.hiroba.bench.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;
import io.hiroba.bench.Clients;
import io.hiroba.knowledge.sessions.ChatSessions;
import io.hiroba.knowledge.sessions.MessageRole;
import io.hiroba.knowledge.sessions.NewMessage;
import io.hiroba.knowledge.sessions.SessionKey;
import io.hiroba.knowledge.sessions.SessionRef;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Conversations that go on: a message more, with so many before it. Each round begins with sessions of their own. */
final class Talk {

    private static final int CLIENTS = 4;
    private static final String TEXT =
            "A message as people write them, of about eighty characters, and no more than that.";

    private final Shelf shelf;
    private final ChatSessions sessions;
    private final Caller owner = new Caller(new UserId(1), false, new Caller.BySession(new SessionId(1)), null);
    private int made;

    Talk(Shelf shelf) {
        this.shelf = shelf;
        sessions = new ChatSessions(shelf.db, shelf.ids(), Clock.systemUTC(), shelf.writer);
        shelf.run("""
                CREATE TABLE json_sessions (
                    session_key TEXT PRIMARY KEY, messages JSONB NOT NULL, version INT NOT NULL, last_active_at TIMESTAMPTZ)
                """);
    }

    /** Messages a second, each added to one of many sessions of about {@code length} messages. */
    double ours(int length, double seconds) {
        var refs = IntStream.range(0, sessions(length))
                .mapToObj(i -> new SessionRef(owner.user(), new SessionKey("thread:" + made++)))
                .toList();
        var message = NewMessage.of(MessageRole.USER, TEXT);
        for (var ref : refs) {
            for (int done = 0; done < length; done += 100) {
                sessions.append(owner, ref, Collections.nCopies(Math.min(100, length - done), message), null);
            }
        }
        return Clients.rate(
                CLIENTS,
                seconds,
                number -> sessions.append(owner, refs.get((int) (number % refs.size())), List.of(message), null));
    }

    /** So many that none of them grows by much. */
    private static int sessions(int length) {
        return Math.clamp(80_000 / length, 8, 2_000);
    }

    /** The same in the design document's form: all messages of a session in one JSONB array. */
    double array(int length, double seconds) {
        var keys = IntStream.range(0, sessions(length))
                .mapToObj(i -> "array:" + made++)
                .toList();
        keys.forEach(key -> shelf.db.useTransaction(tx -> tx.update("""
                INSERT INTO json_sessions
                SELECT :key, jsonb_agg(jsonb_build_object('role', 'user', 'content', :text, 'timestamp', now())), 1, now()
                FROM generate_series(1, :length)
                """)
                .bind("key", key)
                .bind("text", TEXT)
                .bind("length", length)
                .execute()));
        return Clients.rate(
                CLIENTS,
                seconds,
                number -> shelf.db.useTransaction(tx -> tx.update("""
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
