package io.hiroba.records.pages;

import org.jspecify.annotations.Nullable;

/**
 * A cell of the grid.
 *
 * @param label the name that the reader sees
 * @param kind its style: {@code text}, {@code number}, {@code date}, {@code yes}, {@code no}, {@code json}, {@code
 *     link}, or {@code none} for a missing value
 * @param title the full value, if it is abbreviated
 * @param href the path of the referenced record
 * @param color the colour of a chosen option
 */
public record Cell(
        String attribute,
        String label,
        String kind,
        String text,
        @Nullable String title,
        @Nullable String href,
        @Nullable String color) {

    Cell(String attribute, String label, String kind, String text, @Nullable String title, @Nullable String href) {
        this(attribute, label, kind, text, title, href, null);
    }
}
