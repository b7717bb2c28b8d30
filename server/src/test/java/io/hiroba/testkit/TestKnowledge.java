package io.hiroba.testkit;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.NewChunk;
import io.hiroba.knowledge.NewSource;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.SourceWriter;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.EmbeddingSpaces;
import io.hiroba.platform.db.Db;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Knowledge on a database of its own, in a space of few dimensions. */
public final class TestKnowledge implements AutoCloseable {

    public static final Model MODEL = new Model("fake", "words", FakeProvider.DIMENSIONS);

    public final TestAccounts accounts = new TestAccounts();
    public final Db db = accounts.db;
    public final SourceWriter writer = new SourceWriter(accounts.lease.ids(), accounts.clock);
    public final EmbeddingSpaces spaces = new EmbeddingSpaces(db);

    public TestKnowledge() {
        spaces.prepare(MODEL);
    }

    public Caller person(String nickname) {
        return accounts.caller(accounts.user(nickname));
    }

    /** A note of {@code owner} with a chunk for each text. */
    public SourceId note(UserId owner, boolean isPublic, String title, String... texts) {
        return note(owner, isPublic, title, Place.NONE, texts);
    }

    public SourceId note(UserId owner, boolean isPublic, String title, Place place, String... texts) {
        var source = new NewSource(owner, isPublic, SourceType.NOTE, title, null, null, null, place, Map.of());
        return db.inTransaction(
                tx -> writer.create(tx, source, chunks(title, texts)).orElseThrow());
    }

    public static List<NewChunk> chunks(String title, String... texts) {
        return Arrays.stream(texts)
                .map(text -> NewChunk.of(title, text, ChunkLocation.of("Text"), text.length() / 4))
                .toList();
    }

    @Override
    public void close() {
        accounts.close();
    }
}
