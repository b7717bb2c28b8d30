package io.hiroba.records;

import org.jspecify.annotations.Nullable;

/**
 * A change of a schema or of one of its attributes; what is null stays.
 *
 * @param title the name that pages show; empty for none
 * @param reuse whether a name is taken that still leads to what had it before
 */
public record AttributeChange(
        @Nullable String name, @Nullable String title, boolean reuse) {}
