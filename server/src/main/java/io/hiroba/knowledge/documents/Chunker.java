package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.NewChunk;
import io.hiroba.platform.problem.Problem.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts documents into chunks along their structure: no chunk spans two sections, tables and listings stay whole while
 * they fit, and small blocks under one heading are joined.
 *
 * <p>A chunk ends where its content says so, not where the chunk before ended, as far as sizes allow: an edit of a
 * document changes the chunks around it and leaves the others the same.
 */
public final class Chunker {

    /** More than this in one document would be more than a search can tell apart. */
    public static final int MAX_CHUNKS = 10_000;

    /** Headings that lead to a place, in a label. */
    private static final String PATH_SEPARATOR = " › ";

    private final int max;

    /**
     * A chunker.
     *
     * @param max the tokens a chunk may have
     */
    public Chunker(int max) {
        this.max = max;
    }

    /**
     * The chunks of a document.
     *
     * @param uri the document's address, if it has one
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
                // A heading above headings: it stands in front of what comes below it.
                continue;
            }
            units.begin(headings);
            headings.clear();
            section.blocks().forEach(units::add);
            for (var part : packed(units.take())) {
                if (chunks.size() == MAX_CHUNKS) {
                    throw tooMany();
                }
                chunks.add(NewChunk.of(title, part.text(), location(uri, section, part.units()), part.tokens()));
            }
        }
        return List.copyOf(chunks);
    }

    private static KnowledgeProblem tooMany() {
        return new KnowledgeProblem(
                Kind.TOO_LARGE,
                "too-many-chunks",
                "The source has more than %,d chunks. Split it into several sources.".formatted(MAX_CHUNKS));
    }

    private static boolean isBelow(Section inner, Section outer) {
        return inner.path().size() > outer.path().size()
                && inner.path().subList(0, outer.path().size()).equals(outer.path());
    }

    private record Part(String text, int tokens, List<ChunkUnit> units) {}

    private List<Part> packed(List<ChunkUnit> units) {
        var parts = new ArrayList<Part>();
        var text = new StringBuilder();
        var held = new ArrayList<ChunkUnit>();
        int tokens = 0;
        for (var unit : units) {
            // The sum is never far from the truth, and rarely below it; only near the limit it pays to count.
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

    private static Part part(StringBuilder text, List<ChunkUnit> held) {
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

    private static ChunkLocation location(@Nullable String uri, Section section, List<ChunkUnit> units) {
        var first = units.getFirst();
        var details = new LinkedHashMap<String, Object>();
        if (section.page() != null) {
            details.put("page", section.page());
        }
        if (!section.path().isEmpty()) {
            details.put("section", String.join(PATH_SEPARATOR, section.path()));
        }
        if (first.message() != null) {
            details.put("message_index", first.message().index());
            if (first.message().id() != null) {
                details.put("message_id", first.message().id());
            }
        }
        details.put("paragraph_index", first.paragraph());
        details.put("char_start", first.start());
        details.put("char_end", units.getLast().end());
        var told = first.message() == null ? null : first.message().url();
        return new ChunkLocation(told == null ? url(uri, section) : told, label(section, units), details);
    }

    private static @Nullable String url(@Nullable String uri, Section section) {
        if (uri == null || uri.contains("#")) {
            return uri;
        }
        if (section.page() != null) {
            return uri + "#page=" + section.page();
        }
        return section.anchor() == null ? uri : uri + "#" + section.anchor();
    }

    private static String label(Section section, List<ChunkUnit> units) {
        var first = units.getFirst();
        var last = units.getLast();
        if (first.message() != null && last.message() != null) {
            int from = first.message().index() + 1;
            int to = last.message().index() + 1;
            return from == to ? "Message " + from : "Messages %d–%d".formatted(from, to);
        }
        if (!section.path().isEmpty()) {
            return String.join(PATH_SEPARATOR, section.path());
        }
        return section.page() == null ? "Paragraph " + (first.paragraph() + 1) : "Page " + section.page();
    }
}
