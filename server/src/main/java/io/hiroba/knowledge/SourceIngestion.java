package io.hiroba.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.documents.Chunker;
import io.hiroba.knowledge.documents.DocumentReader;
import io.hiroba.knowledge.documents.DocumentTitle;
import io.hiroba.knowledge.documents.DocumentType;
import io.hiroba.knowledge.documents.FetchedPage;
import io.hiroba.knowledge.documents.PageFetcher;
import io.hiroba.knowledge.documents.ParsedDocument;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Sha256;
import io.hiroba.platform.problem.Problem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads an input and cuts it into chunks. */
public final class SourceIngestion {

    private static final Set<SourceType> TEXT_TYPES =
            EnumSet.of(SourceType.NOTE, SourceType.IMAGE_CAPTION, SourceType.AUDIO_TRANSCRIPT);
    private static final int MAX_METADATA_LENGTH = 16 * 1024;
    private static final Duration WAIT_TIMEOUT = Duration.ofSeconds(30);
    private static final int MAX_NAME_LENGTH = 255;

    private final SourcesConfig config;
    private final PageFetcher fetcher;
    private final InstantSource clock;
    private final Chunker chunker;
    private final DocumentReader readers = new DocumentReader();
    /** Limits concurrent documents, each of which may use the maximum memory. */
    private final Semaphore slots =
            new Semaphore(Math.max(2, Runtime.getRuntime().availableProcessors() / 2));

    public SourceIngestion(SourcesConfig config, PageFetcher fetcher, InstantSource clock) {
        this.config = config;
        this.fetcher = fetcher;
        this.clock = clock;
        this.chunker = new Chunker(config.chunkTokens(), config.maxChunks());
    }

    Draft read(Caller caller, SourceInput input) {
        return switch (input) {
            case SourceInput.Text text -> withSlot(() -> text(text));
            case SourceInput.File file -> withSlot(() -> file(caller, file));
            case SourceInput.Url url -> {
                // A slow page occupies no slot.
                var page = fetcher.fetch(url.url());
                yield withSlot(() -> page(page));
            }
        };
    }

    /** Reads a page that was fetched already. */
    Draft read(FetchedPage page) {
        return withSlot(() -> page(page));
    }

    private <T> T withSlot(Supplier<T> reading) {
        acquire();
        try {
            return reading.get();
        } finally {
            slots.release();
        }
    }

    private void acquire() {
        try {
            if (slots.tryAcquire(WAIT_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new KnowledgeProblem(Problem.Kind.UNAVAILABLE, "busy");
    }

    private Draft text(SourceInput.Text input) {
        if (!TEXT_TYPES.contains(input.type())) {
            throw KnowledgeProblem.invalid("type", Text.of("knowledge.field.text-type"));
        }
        if (input.text().length() > config.largest().bytes()) {
            throw tooLarge();
        }
        var kind = input.mediaType() == null ? DocumentType.MARKDOWN : DocumentType.ofText(input.mediaType());
        var document = readers.read(kind, input.text());
        var metadata = new HashMap<>(checked(input.metadata()));
        metadata.putAll(document.facts());
        metadata.put("mime_type", kind.mediaType());
        var bytes = input.text().getBytes(StandardCharsets.UTF_8);
        return draft(input.type(), input.title(), null, document, Sha256.hex(bytes), metadata);
    }

    private Draft file(Caller caller, SourceInput.File input) {
        if (input.content().length > config.largest().bytes()) {
            throw tooLarge();
        }
        var kind = DocumentType.of(input.mediaType(), input.name(), input.charset(), input.content());
        var document = readers.read(kind, input.content(), input.charset());
        var metadata = new HashMap<>(document.facts());
        metadata.put("file_size", input.content().length);
        metadata.put("mime_type", kind.mediaType());
        metadata.put("uploaded_by", caller.user().hex());
        var name = name(input.name());
        if (name != null) {
            metadata.put("file_name", name);
        }
        return draft(SourceType.DOCUMENT_FILE, input.title(), name, document, Sha256.hex(input.content()), metadata);
    }

    private static @Nullable String name(String declared) {
        var name = StorableText.of(
                declared.length() > MAX_NAME_LENGTH ? declared.substring(0, MAX_NAME_LENGTH) : declared);
        return name.isBlank() ? null : name;
    }

    private Draft page(FetchedPage page) {
        var kind = DocumentType.of(page.mediaType(), page.found().name(), page.charset(), page.content());
        var document = readers.read(kind, page.content(), page.charset());
        var metadata = new HashMap<>(document.facts());
        metadata.put("url", page.found().url());
        metadata.put("scraped_at", clock.instant().toString());
        metadata.put("content_length", page.content().length);
        metadata.put("mime_type", kind.mediaType());
        var title = DocumentTitle.of(document, page.found().url());
        metadata.put(KnowledgeSource.PAGE_TITLE, title);
        var chunks = chunks(title, page.found().url(), document);
        return new Draft(
                SourceType.WEB_PAGE,
                title,
                false,
                page.found().url(),
                KnowledgeSource.URL + page.found().requested(),
                null,
                metadata,
                chunks,
                null);
    }

    private Draft draft(
            SourceType type,
            @Nullable String chosen,
            @Nullable String name,
            ParsedDocument document,
            String hash,
            Map<String, Object> metadata) {
        var title =
                chosen == null || chosen.isBlank() ? DocumentTitle.of(document, name) : DocumentTitle.checked(chosen);
        boolean titled = chosen != null && !chosen.isBlank();
        return new Draft(type, title, titled, null, null, hash, metadata, chunks(title, null, document), null);
    }

    private List<NewChunk> chunks(String title, @Nullable String uri, ParsedDocument document) {
        var chunks = chunker.chunks(title, uri, document);
        if (chunks.isEmpty()) {
            throw KnowledgeProblem.nothingToRead();
        }
        return chunks;
    }

    private static Map<String, Object> checked(Map<String, Object> metadata) {
        var text = Json.text(metadata);
        if (text.length() > MAX_METADATA_LENGTH) {
            throw KnowledgeProblem.invalid("metadata", Text.of("knowledge.field.metadata-size"));
        }
        if (!StorableText.of(text).equals(text)) {
            throw KnowledgeProblem.invalid("metadata", Text.of("knowledge.field.metadata-control"));
        }
        return metadata;
    }

    private KnowledgeProblem tooLarge() {
        return KnowledgeProblem.tooLarge(config.largest());
    }

    /**
     * An input that was read and cut into chunks, ready to be written.
     *
     * @param titled whether its owner chose the title
     * @param contentHash the SHA-256 of the input in hex; null if equal content may have several sources
     * @param original the id of the original that was kept, if any
     */
    record Draft(
            SourceType type,
            String title,
            boolean titled,
            @Nullable String uri,
            @Nullable String origin,
            @Nullable String contentHash,
            Map<String, Object> metadata,
            List<NewChunk> chunks,
            @Nullable Long original) {

        /** The same with the original that was kept. */
        Draft with(long kept) {
            return new Draft(type, title, titled, uri, origin, contentHash, metadata, chunks, kept);
        }

        /** The same as made from a watched place, whose content may be that of another source. */
        Draft watched(String watchedOrigin, @Nullable String path) {
            var facts = new HashMap<>(metadata);
            if (path != null) {
                facts.put("file_name", path);
            }
            return new Draft(type, title, titled, uri, watchedOrigin, null, facts, chunks, null);
        }

        public Draft {
            metadata = Map.copyOf(metadata);
            chunks = List.copyOf(chunks);
        }
    }
}
