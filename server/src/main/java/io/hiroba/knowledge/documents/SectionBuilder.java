package io.hiroba.knowledge.documents;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds sections while a document is parsed. */
final class SectionBuilder {

    /** The maximum length of a heading; a longer one is a paragraph in large type. */
    static final int MAX_HEADING_LENGTH = 200;

    private record Heading(int level, String text) {}

    private final List<Section> sections = new ArrayList<>();
    private final List<Heading> path = new ArrayList<>();
    private List<Block> blocks = new ArrayList<>();
    private @Nullable String anchor;
    private @Nullable String first;
    private int pieces;

    /** Starts a section below the last heading of a smaller level. */
    void heading(int level, String text, @Nullable String at) {
        var heading = text.strip().replaceAll("\\s+", " ");
        if (heading.isEmpty()) {
            return;
        }
        if (heading.length() > MAX_HEADING_LENGTH) {
            add(new Block.Text(heading));
            return;
        }
        BlockLimit.check(++pieces);
        end();
        path.removeIf(outer -> outer.level() >= level);
        path.add(new Heading(level, heading));
        anchor = at;
        if (first == null) {
            first = heading;
        }
    }

    void add(Block block) {
        boolean blank = switch (block) {
            case Block.Text text -> text.text().isBlank();
            case Block.Code code -> code.text().isBlank();
            case Block.Items items -> items.items().isEmpty();
            case Block.Table table -> table.rows().isEmpty() && table.head().isBlank();
            case Block.Message message -> message.text().isBlank();
        };
        if (!blank) {
            BlockLimit.check(++pieces);
            blocks.add(block);
        }
    }

    void text(String text) {
        add(new Block.Text(text.strip()));
    }

    private void end() {
        if (!blocks.isEmpty() || !path.isEmpty()) {
            sections.add(new Section(path.stream().map(Heading::text).toList(), null, anchor, blocks));
        }
        blocks = new ArrayList<>();
        anchor = null;
    }

    /** The first heading. */
    @Nullable
    String first() {
        return first;
    }

    List<Section> sections() {
        end();
        path.clear();
        return List.copyOf(sections);
    }
}
