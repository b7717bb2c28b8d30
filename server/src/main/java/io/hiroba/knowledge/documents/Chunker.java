package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.NewChunk;
import io.hiroba.platform.problem.Problem.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Cuts documents into chunks along their structure: no chunk spans two sections, tables and listings stay whole while
 * they fit, and small blocks under one heading are joined.
 *
 * <p>Chunk boundaries depend on the content, not on the previous boundary, as far as sizes allow: an edit of a document
 * changes the chunks around it and leaves the others unchanged.
 */
public final class Chunker {

    /** The maximum number of chunks of a document, unless another is set. */
    private static final int MAX_CHUNKS = 10_000;

    private final int max;
    private final int maxChunks;

    /**
     * Creates a chunker.
     *
     * @param max the maximum tokens of a chunk
     */
    public Chunker(int max) {
        this(max, MAX_CHUNKS);
    }

    /**
     * Creates a chunker.
     *
     * @param max the maximum tokens of a chunk
     * @param maxChunks the maximum chunks of a document
     */
    public Chunker(int max, int maxChunks) {
        this.max = max;
        this.maxChunks = maxChunks;
    }

    /**
     * Cuts a document into chunks.
     *
     * @param uri the URL of the document, if any
     */
    public List<NewChunk> chunks(String title, @Nullable String uri, ParsedDocument reading) {
        var chunks = new ArrayList<NewChunk>();
        var units = new ChunkUnits(max);
        var headings = new ArrayList<String>();
        var sections = reading.sections();
        for (int i = 0; i < sections.size(); i++) {
            var section = sections.get(i);
            if (!section.path().isEmpty()) {
                headings.add(section.path().getLast());
            }
            boolean goesOn = i + 1 < sections.size() && isBelow(sections.get(i + 1), section);
            if (section.blocks().isEmpty() && goesOn) {
                // A heading without content is prepended to what comes below it.
                continue;
            }
            units.begin(headings);
            headings.clear();
            section.blocks().forEach(units::add);
            for (var part : pack(units.drain())) {
                if (chunks.size() == maxChunks) {
                    throw tooMany();
                }
                chunks.add(NewChunk.of(title, part.text(), location(uri, section, part.units()), part.tokens()));
            }
        }
        return List.copyOf(chunks);
    }

    private KnowledgeProblem tooMany() {
        return new KnowledgeProblem(Kind.TOO_LARGE, "too-many-chunks", "max", maxChunks);
    }

    private static boolean isBelow(Section inner, Section outer) {
        return inner.path().size() > outer.path().size()
                && inner.path().subList(0, outer.path().size()).equals(outer.path());
    }

    private record Part(String text, int tokens, List<ChunkUnits.Unit> units) {}

    private List<Part> pack(List<ChunkUnits.Unit> units) {
        var parts = new ArrayList<Part>();
        var text = new StringBuilder();
        var held = new ArrayList<ChunkUnits.Unit>();
        int tokens = 0;
        for (var unit : units) {
            // The sum overestimates slightly; counting exactly pays off only near the limit.
            if (!held.isEmpty()
                    && tokens + unit.tokens() + 1 > max
                    && TokenCounter.count(text + unit.glue() + unit.text()) > max) {
                parts.add(part(text, held));
                tokens = 0;
            }
            text.append(held.isEmpty() ? "" : unit.glue()).append(unit.text());
            held.add(unit);
            tokens += unit.tokens() + 1;
            if (tokens >= max / 2 && unit.isBoundary()) {
                parts.add(part(text, held));
                tokens = 0;
            }
        }
        if (!held.isEmpty()) {
            parts.add(part(text, held));
        }
        return parts.stream().flatMap(part -> fitting(part).stream()).toList();
    }

    private static Part part(StringBuilder text, List<ChunkUnits.Unit> held) {
        var part = new Part(text.toString(), TokenCounter.count(text.toString()), List.copyOf(held));
        text.setLength(0);
        held.clear();
        return part;
    }

    private List<Part> fitting(Part part) {
        return part.tokens() <= max
                ? List.of(part)
                : TextSplitter.split(part.text(), max).stream()
                        .map(text -> new Part(text, TokenCounter.count(text), part.units()))
                        .toList();
    }

    private static ChunkLocation location(@Nullable String uri, Section section, List<ChunkUnits.Unit> units) {
        var first = units.getFirst();
        var details = new LinkedHashMap<String, Object>();
        if (section.page() != null) {
            details.put(section.numbering().name().toLowerCase(Locale.ROOT), section.page());
        }
        if (!section.path().isEmpty()) {
            details.put("section", String.join(ChunkLocation.PATH_SEPARATOR, section.path()));
        }
        if (first.message() != null) {
            details.put("message_index", first.message().index());
            if (first.message().id() != null) {
                details.put("message_id", first.message().id());
            }
        }
        var range = range(units);
        if (range != null) {
            details.put(range.kind() + "_start", range.first());
            details.put(range.kind() + "_end", range.last());
        }
        details.put("paragraph_index", first.paragraph());
        details.put("char_start", first.start());
        details.put("char_end", units.getLast().end());
        var messageUrl = first.message() == null ? null : first.message().url();
        return new ChunkLocation(messageUrl == null ? url(uri, section) : messageUrl, label(section, units), details);
    }

    private static @Nullable String url(@Nullable String uri, Section section) {
        if (uri == null || uri.contains("#")) {
            return uri;
        }
        if (section.page() != null && section.numbering() == Section.Numbering.PAGE) {
            return uri + "#page=" + section.page();
        }
        return section.anchor() == null ? uri : uri + "#" + section.anchor();
    }

    private static String label(Section section, List<ChunkUnits.Unit> units) {
        var first = units.getFirst();
        var last = units.getLast();
        if (first.message() != null && last.message() != null) {
            int from = first.message().index() + 1;
            int to = last.message().index() + 1;
            return ChunkLocation.messagesLabel("", from, to);
        }
        var label = new ArrayList<String>(section.path());
        boolean isNumbered =
                section.numbering() == Section.Numbering.SLIDE || section.numbering() == Section.Numbering.MESSAGE;
        if (section.page() != null && (isNumbered || section.path().isEmpty())) {
            label.addFirst(ChunkLocation.label(section.numbering().name(), section.page()));
        }
        var range = range(units);
        if (range != null) {
            label.add(ChunkLocation.rangeLabel(range.kind(), range.first(), range.last()));
        }
        return label.isEmpty()
                ? ChunkLocation.paragraphLabel(first.paragraph() + 1)
                : String.join(ChunkLocation.PATH_SEPARATOR, label);
    }

    /** The rows or lines of a chunk, without the headings before them. */
    private static ChunkUnits.Unit.@Nullable Range range(List<ChunkUnits.Unit> units) {
        var ranges =
                units.stream().flatMap(unit -> Stream.ofNullable(unit.range())).toList();
        return ranges.isEmpty()
                ? null
                : new ChunkUnits.Unit.Range(
                        ranges.getFirst().kind(),
                        ranges.getFirst().first(),
                        ranges.getLast().last());
    }
}
