package io.hiroba.records.pages;

import io.hiroba.platform.web.Avatar;
import io.hiroba.platform.web.SafeHtml;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SelectOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cell of the grid.
 *
 * @param label the name that the reader sees
 * @param kind its style: {@code text}, {@code number}, {@code date}, {@code yes}, {@code no}, {@code json}, {@code
 *     link}, {@code rating}, {@code prose} for a long text of a record's page, or {@code none} for a missing value
 * @param title the full value, if it is abbreviated
 * @param href the path of the referenced record
 * @param color the colour of a chosen option
 * @param chips the options of a list
 * @param items people, or the records or files of a list
 */
public record Cell(
        String attribute,
        String label,
        String kind,
        String text,
        @Nullable String title,
        @Nullable String href,
        @Nullable String color,
        List<SelectOption> chips,
        List<Item> items) {

    public Cell {
        chips = List.copyOf(chips);
        items = List.copyOf(items);
    }

    /**
     * One of several things in a cell.
     *
     * @param href the path of the record or file
     * @param avatar the picture of a person; null of one who is gone
     * @param thumbnail the path of the preview of a file
     */
    public record Item(
            String text,
            @Nullable String href,
            @Nullable Avatar avatar,
            @Nullable String thumbnail) {}

    Cell(
            String attribute,
            String label,
            String kind,
            String text,
            @Nullable String title,
            @Nullable String href,
            @Nullable String color,
            List<SelectOption> chips) {
        this(attribute, label, kind, text, title, href, color, chips, List.of());
    }

    /** People, records or files, which have a text together. */
    static Cell of(SchemaAttribute attribute, String kind, List<Item> items) {
        var text = items.stream().map(Item::text).collect(Collectors.joining(", "));
        return new Cell(
                attribute.name(), attribute.label(), kind, CellFormatter.cut(text), null, null, null, List.of(), items);
    }

    Cell(String attribute, String label, String kind, String text, @Nullable String title, @Nullable String href) {
        this(attribute, label, kind, text, title, href, null, List.of());
    }

    /** With the first of its items, and how many more there are. */
    Cell shortened(int most) {
        if (items.size() <= most) {
            return this;
        }
        var first = new ArrayList<>(items.subList(0, most));
        first.add(new Item("+" + (items.size() - most), null, null, null));
        return new Cell(attribute, label, kind, text, title, href, color, chips, first);
    }

    /** Whether it leads out of this server. */
    public boolean isExternal() {
        return href != null && !href.startsWith("/");
    }

    /** A long text as it is shown. */
    public SafeHtml prose() {
        return SafeHtml.ofMarkdown(text);
    }
}
