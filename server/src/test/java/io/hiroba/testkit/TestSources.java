package io.hiroba.testkit;

import io.hiroba.accounts.ArchiveStorage;
import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeSource;
import io.hiroba.knowledge.SourceIngestion;
import io.hiroba.knowledge.SourceInput;
import io.hiroba.knowledge.Sources;
import io.hiroba.knowledge.SourcesConfig;
import io.hiroba.knowledge.documents.FetchedPage;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Throttle;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Sources on a database of their own; the web is a map. */
public final class TestSources implements AutoCloseable {

    public static final SourcesConfig CONFIG = new SourcesConfig(
            ByteSize.parse("1MB"), 100, Duration.ofSeconds(5), false, 60, 10_000, ByteSize.parse("20KB"), 3, true);

    public final TestKnowledge knowledge = new TestKnowledge();

    /** What answers at which address, in HTML. */
    public final Map<String, String> web = new ConcurrentHashMap<>();

    public final Sources sources = new Sources(
            knowledge.db,
            knowledge.accounts.clock,
            knowledge.writer,
            new Throttle(knowledge.db, knowledge.accounts.clock),
            new SourceIngestion(CONFIG, this::fetch, knowledge.accounts.clock),
            CONFIG,
            new MapStorage());

    /** The files that sources were made from, by their names in the storage. */
    public final Map<String, byte[]> files = new ConcurrentHashMap<>();

    /** The storage of originals. */
    private final class MapStorage implements ArchiveStorage {

        @Override
        public void put(String name, Path archive) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void put(String name, byte[] content) {
            files.put(name, content);
        }

        @Override
        public Optional<Stored> get(String name) {
            return Optional.ofNullable(files.get(name))
                    .map(content -> new Stored(new ByteArrayInputStream(content), content.length));
        }

        @Override
        public void delete(String name) {
            files.remove(name);
        }
    }

    /** What happens while a page is fetched. */
    public volatile Runnable duringFetch = () -> {};

    private FetchedPage fetch(String url) {
        duringFetch.run();
        var html = web.getOrDefault(url, "").getBytes(StandardCharsets.UTF_8);
        return new FetchedPage(new FetchedPage.Found(url, url, "page"), "text/html", "utf-8", html);
    }

    public KnowledgeSource note(Caller owner, boolean isPublic, String text) {
        return sources.add(owner, SourceInput.Text.note(null, text), isPublic).source();
    }

    /** As if every chunk had its vector. */
    public void embedAll() {
        knowledge.db.useTransaction(
                tx -> tx.update("DELETE FROM knowledge.embedding_queue").execute());
    }

    @Override
    public void close() {
        knowledge.close();
    }
}
