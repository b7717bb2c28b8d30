package io.hiroba.knowledge.sources;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.NewChunk;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.StorableText;
import io.hiroba.knowledge.chunking.Chunker;
import io.hiroba.knowledge.fetch.FetchedPage;
import io.hiroba.knowledge.fetch.Fetcher;
import io.hiroba.knowledge.reading.Kind;
import io.hiroba.knowledge.reading.Readers;
import io.hiroba.knowledge.reading.Reading;
import io.hiroba.platform.http.Json;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what is handed in and cuts it into chunks. Of the original nothing is kept. */
public final class Intake {

    private static final Set<SourceType> WRITTEN =
            EnumSet.of(SourceType.NOTE, SourceType.IMAGE_CAPTION, SourceType.AUDIO_TRANSCRIPT);
    private static final int LARGEST_METADATA = 16 * 1024;
    private static final int LONGEST_NAME = 255;

    private final SourcesConfig config;
    private final Fetcher fetcher;
    private final InstantSource clock;
    private final Chunker chunker;
    private final Readers readers = new Readers();
    private final Places places = new Places();

    public Intake(SourcesConfig config, Fetcher fetcher, InstantSource clock) {
        this.config = config;
        this.fetcher = fetcher;
        this.clock = clock;
        this.chunker = new Chunker(config.chunkTokens());
    }

    Draft read(Caller caller, Handed handed) {
        return switch (handed) {
            case Handed.Text text -> places.take(() -> text(text));
            case Handed.File file -> places.take(() -> file(caller, file));
            case Handed.Url url -> {
                // Who waits for a slow page needs no place yet.
                var page = fetcher.fetch(url.url());
                yield places.take(() -> page(page));
            }
        };
    }

    private Draft text(Handed.Text handed) {
        if (!WRITTEN.contains(handed.type())) {
            throw KnowledgeProblem.invalid("type", "must be note, image_caption or audio_transcript");
        }
        if (handed.text().length() > config.largest().bytes()) {
            throw tooLarge();
        }
        var kind = handed.mediaType() == null ? Kind.MARKDOWN : Kind.ofText(handed.mediaType());
        var reading = readers.read(kind, handed.text());
        var metadata = new HashMap<>(checked(handed.metadata()));
        metadata.putAll(reading.facts());
        metadata.put("mime_type", kind.mediaType());
        var bytes = handed.text().getBytes(StandardCharsets.UTF_8);
        return draft(handed.type(), handed.title(), null, reading, NewChunk.sha256(bytes), metadata);
    }

    private Draft file(Caller caller, Handed.File handed) {
        if (handed.content().length > config.largest().bytes()) {
            throw tooLarge();
        }
        var kind = Kind.of(handed.mediaType(), handed.name(), handed.content());
        var reading = readers.read(kind, handed.content(), null);
        var metadata = new HashMap<>(reading.facts());
        metadata.put("file_size", handed.content().length);
        metadata.put("mime_type", kind.mediaType());
        metadata.put("uploaded_by", caller.user().hex());
        var name = name(handed.name());
        if (name != null) {
            metadata.put("file_name", name);
        }
        return draft(
                SourceType.DOCUMENT_FILE, handed.title(), name, reading, NewChunk.sha256(handed.content()), metadata);
    }

    private static @Nullable String name(String told) {
        var name = StorableText.of(told.length() > LONGEST_NAME ? told.substring(0, LONGEST_NAME) : told);
        return name.isBlank() ? null : name;
    }

    private Draft page(FetchedPage page) {
        var kind = Kind.of(page.mediaType(), page.found().name(), page.content());
        var reading = readers.read(kind, page.content(), page.charset());
        var metadata = new HashMap<>(reading.facts());
        metadata.put("url", page.found().url());
        metadata.put("scraped_at", clock.instant().toString());
        metadata.put("content_length", page.content().length);
        metadata.put("mime_type", kind.mediaType());
        var title = Titles.of(reading, page.found().url());
        metadata.put(Source.PAGE_TITLE, title);
        var chunks = chunks(title, page.found().url(), reading);
        return new Draft(
                SourceType.WEB_PAGE,
                title,
                false,
                page.found().url(),
                Source.URL + page.found().asked(),
                null,
                metadata,
                chunks);
    }

    private Draft draft(
            SourceType type,
            @Nullable String chosen,
            @Nullable String name,
            Reading reading,
            String hash,
            Map<String, Object> metadata) {
        var title = chosen == null || chosen.isBlank() ? Titles.of(reading, name) : Titles.checked(chosen);
        boolean titled = chosen != null && !chosen.isBlank();
        return new Draft(type, title, titled, null, null, hash, metadata, chunks(title, null, reading));
    }

    private List<NewChunk> chunks(String title, @Nullable String uri, Reading reading) {
        var chunks = chunker.chunks(title, uri, reading);
        if (chunks.isEmpty()) {
            throw KnowledgeProblem.nothingToRead();
        }
        return chunks;
    }

    private static Map<String, Object> checked(Map<String, Object> metadata) {
        var text = Json.text(metadata);
        if (text.length() > LARGEST_METADATA) {
            throw KnowledgeProblem.invalid("metadata", "must not be larger than 16 KB");
        }
        if (!StorableText.of(text).equals(text)) {
            throw KnowledgeProblem.invalid("metadata", "must hold text that can be stored");
        }
        return metadata;
    }

    private KnowledgeProblem tooLarge() {
        return KnowledgeProblem.tooLarge(config.largest());
    }
}
