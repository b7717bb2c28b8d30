package io.hiroba.knowledge;

import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.ProjectRecords.ProjectText;
import io.hiroba.knowledge.RecordSourceStore.PendingTexts;
import io.hiroba.knowledge.documents.Chunker;
import io.hiroba.knowledge.documents.DocumentReader;
import io.hiroba.knowledge.documents.DocumentType;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the sources of records and deletes those of records that are gone: one batch a transaction, which also stores the progress and
 * holds the lock of the choice, so that nobody writes what was read before a later change. Nodes share the work by those locks.
 */
final class RecordSourceWorker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RecordSourceWorker.class);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final int BATCH_SIZE = 50;

    private final Db db;
    private final ProjectRecords records;
    private final SourceWriter writer;
    private final Chunker chunker;
    private final int maxRecords;
    private final WakeSignal changed;
    private final DocumentReader readers = new DocumentReader();
    private final RecordSourceStore store = new RecordSourceStore();
    private final SourceStore sources = new SourceStore();
    private final AtomicBoolean closed = new AtomicBoolean();
    private Optional<WorkLoop> loop = Optional.empty();

    /** @param changed raised when there are records to look at */
    RecordSourceWorker(Db db, ProjectRecords records, SourceWriter writer, SourcesConfig config, WakeSignal changed) {
        this.db = db;
        this.records = records;
        this.writer = writer;
        this.chunker = new Chunker(config.chunkTokens(), config.maxChunks());
        this.maxRecords = config.recordsPerSchema();
        this.changed = changed;
    }

    RecordSourceWorker start() {
        loop = Optional.of(WorkLoop.whenSignalled(
                "record texts",
                1,
                changed,
                WorkLoop.FALLBACK_POLL,
                () -> !closed.get() && db.inTransaction(this::step)));
        return this;
    }

    private boolean step(Tx tx) {
        var pending = store.claim(tx);
        pending.ifPresent(texts -> step(tx, texts));
        if (pending.isEmpty() && store.hasPending(tx)) {
            // Another node is at work, and may die.
            changed.raiseAlsoIn(RETRY_DELAY);
        }
        return pending.isPresent();
    }

    private void step(Tx tx, PendingTexts texts) {
        if (texts.ended()) {
            store.deleteNext(tx, texts.collection(), BATCH_SIZE);
            return;
        }
        var rows = store.takeChanged(tx, texts.texts(), BATCH_SIZE);
        if (!rows.isEmpty()) {
            write(tx, texts.collection(), rows, records.texts(tx, texts.texts(), rows));
        } else if (texts.walkAfter() != null) {
            var found = records.after(tx, texts.texts(), texts.walkAfter(), BATCH_SIZE);
            write(tx, texts.collection(), found.stream().map(ProjectText::row).toList(), found);
            store.setWalk(
                    tx,
                    texts.texts(),
                    found.size() < BATCH_SIZE ? null : found.getLast().row());
        }
    }

    /** Writes the sources of {@code rows} that have a text, and deletes those of the others. */
    private void write(Tx tx, CollectionId collection, Collection<UUID> rows, List<ProjectText> texts) {
        var known = store.lock(
                tx, collection, rows.stream().map(RecordSourceWorker::origin).toList());
        var byRow = texts.stream().collect(Collectors.toMap(ProjectText::row, Function.identity()));
        int room = maxRecords - store.count(tx, collection, maxRecords);
        for (var row : rows) {
            var source = known.get(origin(row));
            var text = byRow.get(row);
            var chunks = text == null || text.text().isBlank() ? List.<NewChunk>of() : chunks(text);
            if (text == null || chunks.isEmpty()) {
                if (source != null) {
                    sources.delete(tx, source);
                }
            } else if (source != null) {
                writer.replace(tx, source, source(collection, text), chunks);
            } else if (room > 0) {
                room -= writer.create(tx, source(collection, text), chunks).isPresent() ? 1 : 0;
            }
        }
    }

    private static NewSource source(CollectionId collection, ProjectText text) {
        return new NewSource(
                KnowledgeSource.NOBODY,
                false,
                SourceType.RECORD,
                StorableText.of(text.title()),
                text.url(),
                origin(text.row()),
                null,
                Place.NONE,
                Map.of(),
                collection);
    }

    private static String origin(UUID row) {
        return "record:" + row;
    }

    /** A record that cannot be read must not block others. */
    private List<NewChunk> chunks(ProjectText text) {
        try {
            return chunker.chunks(
                    StorableText.of(text.title()), text.url(), readers.read(DocumentType.TEXT, text.text()));
        } catch (RuntimeException | StackOverflowError e) {
            LOG.error("Record {} cannot be parsed and is skipped", text.row(), e);
            return List.of();
        }
    }

    @Override
    public void close() {
        closed.set(true);
        loop.ifPresent(WorkLoop::close);
    }
}
