package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.SourceType;
import java.util.Arrays;
import java.util.List;

/** One of several that a form offers. */
public record Choice(String value, String label, String hint, boolean chosen) {

    /** Every kind of source. */
    static List<Choice> kinds(String chosen) {
        return Arrays.stream(SourceType.values())
                .map(type -> new Choice(
                        type.text(), Kind.of(type).label(), "", type.text().equals(chosen)))
                .toList();
    }
}
