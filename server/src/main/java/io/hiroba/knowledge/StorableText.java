package io.hiroba.knowledge;

import io.hiroba.platform.markdown.Characters;

/** Cleans texts of characters that the database cannot store. */
public final class StorableText {

    private StorableText() {}

    /** As {@link Characters#clean}; a form feed becomes a line break. */
    public static String of(String text) {
        return Characters.clean(text.replace('\f', '\n'));
    }
}
