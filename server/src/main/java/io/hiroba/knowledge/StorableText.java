package io.hiroba.knowledge;

import io.hiroba.platform.markdown.Characters;

/** Text as the database can hold it and people can read it. */
public final class StorableText {

    private StorableText() {}

    /** As {@link Characters#clean}; and a new page begins a new line, so that a passage is read as it was written. */
    public static String of(String text) {
        return Characters.clean(text.replace('\f', '\n'));
    }
}
