package io.hiroba.platform.web;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The feature whose styles apply to a template, and the features whose stylesheets its page needs. A feature is named by the
 * folder of its templates, {@code records} for {@code records/grid}; its stylesheet is {@code records.css}, and every rule in
 * it applies only below an element of the class {@code feature-records}.
 *
 * @param feature whose template it is; none for pages of no feature
 * @param features the features whose stylesheets are loaded: those of embedded fragments, then the page's own
 */
record Scope(@Nullable String feature, List<String> features) {

    static final Scope NONE = new Scope(null, List.of());

    Scope {
        features = List.copyOf(features);
    }

    /** The scope of {@code template} on a page with fragments of the features {@code embedded}. */
    static Scope of(String template, List<String> embedded) {
        int folder = template.indexOf('/');
        if (folder < 0) {
            return new Scope(null, embedded);
        }
        var feature = template.substring(0, folder);
        var others = embedded.stream().filter(other -> !other.equals(feature));
        return new Scope(feature, Stream.concat(others, Stream.of(feature)).toList());
    }

    /** The class of the element below which the feature's styles apply; empty for none. */
    String cssClass() {
        return feature == null ? "" : "feature-" + feature;
    }
}
