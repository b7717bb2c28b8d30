package io.hiroba.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.hiroba.platform.http.Json;
import io.hiroba.records.AccessRules.Matching;
import io.hiroba.records.AccessRules.WriteKind;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of rules in the table of schemas. The outer ones are those of viewers, as the views of SQL access read them; what is not said
 * is not written, so that nodes of before read rules that they know.
 */
record StoredRules(
        boolean ownRowsOnly,
        @Nullable Matching matching,
        Set<String> hidden,
        Set<String> readOnly,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable
        List<RowTest> where,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable
        Set<WriteKind> denied,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable StoredRules editors) {

    static String json(AccessRules rules) {
        return Json.exact().writeValueAsString(of(rules));
    }

    static AccessRules read(@Nullable String json) {
        return json == null || json.equals("{}")
                ? AccessRules.NONE
                : Json.exact().readValue(json, StoredRules.class).rules();
    }

    private static StoredRules of(AccessRules rules) {
        var editors = rules.editors();
        return new StoredRules(
                rules.ownRowsOnly(),
                rules.matching(),
                rules.hidden(),
                rules.readOnly(),
                rules.where(),
                rules.denied(),
                editors == null ? null : of(editors));
    }

    private AccessRules rules() {
        return new AccessRules(
                ownRowsOnly,
                matching,
                hidden,
                readOnly,
                where == null ? List.of() : where,
                denied == null ? Set.of() : denied,
                editors == null ? null : editors.rules());
    }
}
