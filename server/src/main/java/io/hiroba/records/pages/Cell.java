package io.hiroba.records.pages;

import io.hiroba.platform.web.SafeHtml;
import io.hiroba.records.SelectOption;
import java.util.List;
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
 */
public record Cell(
        String attribute,
        String label,
        String kind,
        String text,
        @Nullable String title,
        @Nullable String href,
        @Nullable String color,
        List<SelectOption> chips) {

    public Cell {
        chips = List.copyOf(chips);
    }

    Cell(String attribute, String label, String kind, String text, @Nullable String title, @Nullable String href) {
        this(attribute, label, kind, text, title, href, null, List.of());
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
