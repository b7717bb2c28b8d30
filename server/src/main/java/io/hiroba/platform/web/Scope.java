package io.hiroba.platform.web;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The feature whose styles hold for a template, and the features whose stylesheets its page needs. A feature is named by the
 * folder of its templates, {@code records} for {@code records/grid}; its stylesheet is {@code records.css}, and every rule in
 * it holds only below an element of the class {@code feature-records}.
 *
 * @param feature whose template it is; none for pages of no feature
 * @param features those whose stylesheets are loaded: the pieces' on the page, and the page's own last
 */
record Scope(@Nullable String feature, List<String> features) {

    static final Scope NONE = new Scope(null, List.of());

    Scope {
        features = List.copyOf(features);
    }

    /** The scope of {@code template} on a page that shows pieces of the features {@code pieces}. */
    static Scope of(String template, List<String> pieces) {
        int folder = template.indexOf('/');
        if (folder < 0) {
            return new Scope(null, pieces);
        }
        var feature = template.substring(0, folder);
        var others = pieces.stream().filter(piece -> !piece.equals(feature));
        return new Scope(feature, Stream.concat(others, Stream.of(feature)).toList());
    }

    /** The class of the element that the feature's styles hold below; empty for none. */
    String cssClass() {
        return feature == null ? "" : "feature-" + feature;
    }
}
