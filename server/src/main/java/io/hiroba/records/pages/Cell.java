package io.hiroba.records.pages;

import org.jspecify.annotations.Nullable;

/**
 * A cell of the grid.
 *
 * @param kind how it looks: {@code text}, {@code number}, {@code date}, {@code yes}, {@code no}, {@code json}, {@code link}, or
 *     {@code none} for what is missing
 * @param title what it is in full, where that is more than is shown
 * @param href where a reference leads
 */
public record Cell(
        String attribute,
        String kind,
        String text,
        @Nullable String title,
        @Nullable String href) {}
