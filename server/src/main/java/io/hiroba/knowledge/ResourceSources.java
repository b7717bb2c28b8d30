package io.hiroba.knowledge;

import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.ResourceSourceStore.ResourceText;
import io.hiroba.knowledge.documents.Chunker;
import io.hiroba.knowledge.documents.DocumentReader;
import io.hiroba.knowledge.documents.DocumentType;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the sources of issues and merge requests of the inbox as the event log reports their changes, and deletes those of resources that
 * are gone. All events about one resource are in one partition, so nobody else writes its source meanwhile.
 */
final class ResourceSources implements EventHandler {

    static final String NAME = "resource-knowledge";

    private static final Logger LOG = LoggerFactory.getLogger(ResourceSources.class);

    /** The event type of the inbox. */
    private static final String CHANGED = "resource-text-changed";

    private static final int BATCH_SIZE = 50;

    /** Other programs supply URLs. */
    private static final Pattern WEB_URL = Pattern.compile("(?i)https?://[^\\s\\\\]+");

    private final SourceWriter writer;
    private final Chunker chunker;
    private final boolean isOn;
    private final DocumentReader readers = new DocumentReader();
    private final SourceStore sources = new SourceStore();

    ResourceSources(SourceWriter writer, SourcesConfig config) {
        this.writer = writer;
        this.chunker = new Chunker(config.chunkTokens());
        this.isOn = config.inboxResources();
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        var resources = batch.stream()
                .filter(event -> event.type().equals(CHANGED))
                .map(event -> Ids.parse(event.payload().path("resourceId").asString("")))
                .distinct()
                .sorted()
                .toList();
        for (int i = 0; i < resources.size(); i += BATCH_SIZE) {
            write(tx, resources.subList(i, Math.min(resources.size(), i + BATCH_SIZE)));
        }
    }

    private void write(Tx tx, List<Long> resources) {
        var known = ResourceSourceStore.lock(tx, resources);
        var texts = (isOn ? ResourceSourceStore.texts(tx, resources) : List.<ResourceText>of())
                .stream().collect(Collectors.toMap(ResourceText::resource, Function.identity()));
        for (long resource : resources) {
            var source = known.get(resource);
            var text = texts.get(resource);
            var chunks = text == null ? List.<NewChunk>of() : chunks(text);
            if (text == null || chunks.isEmpty()) {
                if (source != null) {
                    sources.delete(tx, source);
                }
            } else if (source != null) {
                writer.replace(tx, source, source(text), chunks);
            } else {
                writer.create(tx, source(text), chunks)
                        .ifPresent(created -> ResourceSourceStore.insert(tx, resource, created));
            }
        }
    }

    private static NewSource source(ResourceText text) {
        return new NewSource(
                KnowledgeSource.NOBODY,
                false,
                SourceType.RESOURCE,
                StorableText.of(text.title()),
                url(text),
                "resource:" + Ids.hex(text.resource()),
                null,
                Place.NONE,
                Map.of());
    }

    private static @Nullable String url(ResourceText text) {
        var url = text.url();
        return url != null && WEB_URL.matcher(url).matches() ? url : null;
    }

    /** A description that cannot be read must not block later ones. */
    private List<NewChunk> chunks(ResourceText text) {
        var below = text.description() == null || text.description().isBlank() ? text.title() : text.description();
        try {
            return chunker.chunks(
                    text.title(), url(text), readers.read(DocumentType.MARKDOWN, text.namespace() + "\n\n" + below));
        } catch (RuntimeException | StackOverflowError e) {
            LOG.error("Resource {} cannot be parsed and is skipped", Ids.hex(text.resource()), e);
            return List.of();
        }
    }

    @Override
    public boolean isAffectedBy(String type) {
        return type.equals(CHANGED);
    }
}
