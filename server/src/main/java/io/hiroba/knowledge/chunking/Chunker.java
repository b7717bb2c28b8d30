package io.hiroba.knowledge.chunking;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.Location;
import io.hiroba.knowledge.NewChunk;
import io.hiroba.knowledge.reading.Reading;
import io.hiroba.knowledge.reading.Section;
import io.hiroba.platform.problem.Problem.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts documents into chunks along their structure: none spans two sections, tables and listings stay whole while they
 * fit, and what is small is joined with its neighbours under the same heading.
 *
 * <p>Where a chunk ends is decided by what stands there and not by what came before, as far as sizes allow. So a change
 * of a document changes the chunks around it, and the others are the same again.
 */
public final class Chunker {

    /** More than this in one document would be more than a search can tell apart. */
    public static final int MOST_CHUNKS = 10_000;

    /** Headings that lead to a place, in a label. */
    private static final String BELOW = " › ";

    private final int most;

    /**
     * A chunker.
     *
     * @param most the tokens a chunk may have
     */
    public Chunker(int most) {
        this.most = most;
    }

    /**
     * The chunks of a document.
     *
     * @param uri the document's address, if it has one
     */
    public List<NewChunk> chunks(String title, @Nullable String uri, Reading reading) {
        var chunks = new ArrayList<NewChunk>();
        var units = new Units(most);
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
                if (chunks.size() == MOST_CHUNKS) {
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
                "A source may fall into %,d passages at most. Hand it in in parts.".formatted(MOST_CHUNKS));
    }

    private static boolean isBelow(Section inner, Section outer) {
        return inner.path().size() > outer.path().size()
                && inner.path().subList(0, outer.path().size()).equals(outer.path());
    }

    private record Part(String text, int tokens, List<Unit> units) {}

    private List<Part> packed(List<Unit> units) {
        var parts = new ArrayList<Part>();
        var text = new StringBuilder();
        var held = new ArrayList<Unit>();
        int tokens = 0;
        for (var unit : units) {
            // The sum is never far from the truth, and rarely below it; only near the limit it pays to count.
            if (!held.isEmpty()
                    && tokens + unit.tokens() + 1 > most
                    && Tokens.count(text + unit.glue() + unit.text()) > most) {
                parts.add(part(text, held));
                tokens = 0;
            }
            text.append(held.isEmpty() ? "" : unit.glue()).append(unit.text());
            held.add(unit);
            tokens += unit.tokens() + 1;
            if (tokens >= most / 2 && unit.isBoundary()) {
                parts.add(part(text, held));
                tokens = 0;
            }
        }
        if (!held.isEmpty()) {
            parts.add(part(text, held));
        }
        return parts.stream().flatMap(part -> fitting(part).stream()).toList();
    }

    private static Part part(StringBuilder text, List<Unit> held) {
        var part = new Part(text.toString(), Tokens.count(text.toString()), List.copyOf(held));
        text.setLength(0);
        held.clear();
        return part;
    }

    private List<Part> fitting(Part part) {
        return part.tokens() <= most
                ? List.of(part)
                : Splitter.split(part.text(), most).stream()
                        .map(text -> new Part(text, Tokens.count(text), part.units()))
                        .toList();
    }

    private static Location location(@Nullable String uri, Section section, List<Unit> units) {
        var first = units.getFirst();
        var details = new LinkedHashMap<String, Object>();
        if (section.page() != null) {
            details.put("page", section.page());
        }
        if (!section.path().isEmpty()) {
            details.put("section", String.join(BELOW, section.path()));
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
        return new Location(told == null ? url(uri, section) : told, label(section, units), details);
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

    private static String label(Section section, List<Unit> units) {
        var first = units.getFirst();
        var last = units.getLast();
        if (first.message() != null && last.message() != null) {
            int from = first.message().index() + 1;
            int to = last.message().index() + 1;
            return from == to ? "Message " + from : "Messages %d–%d".formatted(from, to);
        }
        if (!section.path().isEmpty()) {
            return String.join(BELOW, section.path());
        }
        return section.page() == null ? "Paragraph " + (first.paragraph() + 1) : "Page " + section.page();
    }
}
